/**
 * One project that holds every way to end, each in a directory of its own.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { WAYS_TO_END, type WayToEnd } from "../../fixtures/ways_to_end.ts";
import { environment } from "../support/environments.ts";

const SOURCE = fileURLToPath(new URL("../../fixtures/ways_to_end/", import.meta.url));

/** These are about the directory in which pytest is started, which is another one here. */
const ABOUT_THE_ROOT = ["shadow", "shadow_pytest"];

/** Enough tests to be hit in the middle, and a few that fail. */
const ORDINARY = `import time
import pytest

@pytest.mark.parametrize("n", range(30))
def test_it(n):
    time.sleep(0.02)
    print("x" * 1000)
    assert n % 10 != 3
`;

/** The clock jumps to and fro, for the tests and for pytest, which keeps the real functions for itself. */
const CLOCK = `import time
from _pytest import timing

_real = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
_calls = [0]

def _jump(name):
    def jumping():
        _calls[0] += 1
        return _real[name]() + (10 ** 7 if _calls[0] % 3 == 0 else -(10 ** 7) if _calls[0] % 3 == 1 else 0)
    return jumping

for _name in _real:
    setattr(time, _name, _jump(_name))
    if hasattr(timing, _name):
        setattr(timing, _name, _jump(_name))
`;

/** What it starts leaves the run behind and stays for as long as any campaign takes. */
const LEAVING = `import subprocess, sys

def test_it(capfd):
    with capfd.disabled():
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
`;

const OWN: Readonly<Record<string, { files: Readonly<Record<string, string>>; way: WayToEnd }>> = {
  ordinary: {
    files: { "test_it.py": ORDINARY },
    way: { exit: 1, passed: 27, failed: 3 },
  },
  leaving: { files: { "test_it.py": LEAVING }, way: { exit: 0, passed: 1 } },
  clock: {
    files: {
      "conftest.py": CLOCK,
      "test_it.py": "def test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pass\n",
    },
    way: { exit: 1, passed: 2, failed: 1 },
  },
};

/** A project on disk. */
export interface CampaignProject extends AsyncDisposable {
  readonly root: string;
  /** what must come back, by directory */
  readonly ways: ReadonlyMap<string, WayToEnd>;
}

/** Makes it; disposing it removes it. */
export async function campaignProject(): Promise<CampaignProject> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-campaign-" }));
  const ways = new Map<string, WayToEnd>();
  for (const [name, way] of Object.entries(WAYS_TO_END)) {
    if (ABOUT_THE_ROOT.includes(name)) continue;
    await copyTree(join(SOURCE, name), join(root, name));
    ways.set(name, { ...way, running: (way.running ?? []).map((id) => `${name}/${id}`) });
  }
  for (const [name, { files, way }] of Object.entries(OWN)) {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(root, name, path)), { recursive: true });
      await Deno.writeTextFile(join(root, name, path), text);
    }
    ways.set(name, way);
  }
  const { python } = await environment("pytest9");
  await Deno.symlink(dirname(dirname(python)), join(root, ".venv"), { type: "junction" });
  return { root, ways, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name === "__pycache__" || name === ".pytest_cache") continue;
    if (isDirectory) await copyTree(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
