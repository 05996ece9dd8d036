import assert from "node:assert/strict";
import { checkFacts, type DoctorFacts, renderChecks } from "../../src/cli/doctor_checks.ts";
import { createStyle } from "../../src/cli/style.ts";

const WELL: DoctorFacts = {
  form: "checkout",
  root: "/code",
  candidates: [{ python: "/code/.venv/bin/python", origin: ".venv", mayRun: true }],
  environment: {
    executable: "/code/.venv/bin/python",
    reason: ".venv",
    python: "3.12.1",
    pytest: "9.0.1",
    rootdir: "/code",
    inifile: "/code/pytest.ini",
    plugins: ["xdist-3.8.0", "cov-7.0.0"],
  },
  started: { python: "/code/.venv/bin/python", reason: ".venv" },
  spawnFailure: null,
  failure: null,
  extraRights: [],
};

function show(facts: Partial<DoctorFacts>): string {
  return renderChecks(checkFacts({ ...WELL, ...facts }), createStyle(false));
}

Deno.test("checkFacts() ticks everything when all is well", () => {
  assert.equal(
    show({}),
    `✓ root         /code
✓ interpreter  /code/.venv/bin/python (Python 3.12.1; .venv)
✓ pytest       9.0.1; xdist-3.8.0, cov-7.0.0
✓ rootdir      /code
✓ ini file     /code/pytest.ini
✓ permissions  may start /code/.venv/bin/python
✓ confinement  Deno grants nothing beyond what is needed
`,
  );
});

Deno.test("checkFacts() says what was tried and how to mend it when no interpreter will do", () => {
  assert.equal(
    show({
      environment: null,
      candidates: [{ python: "python3", origin: "python3 on PATH", mayRun: true }],
      spawnFailure: {
        event: "spawn_failure",
        message: "No interpreter can run pytest.",
        tried: [{
          python: "python3",
          origin: "python3 on PATH",
          problem: "pytest is not installed",
        }],
        fix: "Run: python3 -m pip install pytest",
      },
    }),
    `✓ root         /code
✗ interpreter  No interpreter can run pytest.
               python3 (python3 on PATH): pytest is not installed
               → Run: python3 -m pip install pytest
✓ permissions  may start python3
✓ confinement  Deno grants nothing beyond what is needed
`,
  );
});

Deno.test("checkFacts() warns of a foreign rootdir, of missing and of needless rights", () => {
  const environment = { ...WELL.environment, rootdir: "/", inifile: null } as const;
  assert.ok(WELL.environment !== null);
  const shown = show({
    form: "binary",
    environment: { ...WELL.environment, ...environment },
    candidates: [{ python: "/else/python", origin: "VIRTUAL_ENV", mayRun: false }, {
      python: "python3",
      origin: "python3 on PATH",
      mayRun: true,
    }],
    extraRights: ["write", "net"],
  });
  assert.match(
    shown,
    /! rootdir {6}\/, not the root: node ids are relative to it\n +→ start pytest/,
  );
  assert.match(shown, /✓ ini file {5}none; pytest's defaults hold/);
  assert.match(
    shown,
    /! permissions {2}may not start \/else\/python; may start python3\n +→ the binary/,
  );
  assert.match(shown, /! confinement {2}Deno grants more than is needed: write, net\n/);
});

Deno.test("checkFacts() finds a pytest that is too old", () => {
  assert.ok(WELL.environment !== null);
  const old = show({ environment: { ...WELL.environment, pytest: "5.4.3" } });
  assert.match(
    old,
    /✗ pytest .*\n +→ \/code\/\.venv\/bin\/python -m pip install --upgrade "pytest>=6\.2"/,
  );
  assert.match(show({ environment: { ...WELL.environment, pytest: "6.2.5" } }), /✓ pytest/);
});

Deno.test("checkFacts() passes on why pytest itself does not start", () => {
  const shown = show({ environment: null, failure: "conftest.py cannot be imported" });
  assert.match(shown, /\n✓ interpreter {2}\/code\/\.venv\/bin\/python \(\.venv\)\n✗ pytest/);
  assert.match(
    shown,
    /✗ pytest {7}conftest\.py cannot be imported\n +→ \S+python -m pytest --collect-only/,
  );
});

Deno.test("checkFacts() does not ask for rights to a program that is not on PATH", () => {
  const name = (python: string, mayRun: boolean) => ({
    python,
    origin: `${python} on PATH`,
    mayRun,
  });
  const none = show({ candidates: [name("python3", false), name("python", false)] });
  assert.match(none, /\n✗ permissions {2}python3, python: not on PATH, or not in --allow-run\n✓/);
  const one = show({ candidates: [name("python3", true), name("python", false)] });
  assert.match(one, /\n✓ permissions {2}may start python3\n/);
});
