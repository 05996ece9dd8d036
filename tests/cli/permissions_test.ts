import assert from "node:assert/strict";
import { denoRunFlags, MEMORY_FLAG, permissionFlags } from "../../src/cli/permissions.ts";

Deno.test("permissionFlags() grants the root, Python, git and a few variables, and nothing else", () => {
  assert.deepEqual(permissionFlags({ platform: "posix" }), [
    "--no-prompt",
    "--allow-read=.",
    "--allow-run=python3,python,.venv/bin/python,venv/bin/python,.virtualenv/bin/python,git",
    "--allow-env=VIRTUAL_ENV,CONDA_PREFIX,LD_*,DYLD_*",
  ]);
});

Deno.test("permissionFlags() knows where Windows keeps an environment's interpreter", () => {
  assert.deepEqual(permissionFlags({ platform: "windows", root: "C:\\work" }), [
    "--no-prompt",
    "--allow-read=C:\\work",
    "--allow-run=python3,python,py,C:\\work\\.venv\\Scripts\\python.exe," +
    "C:\\work\\venv\\Scripts\\python.exe,C:\\work\\.virtualenv\\Scripts\\python.exe,git",
    "--allow-env=VIRTUAL_ENV,CONDA_PREFIX",
  ]);
});

Deno.test("permissionFlags() adds exactly the interpreters and the log file that are asked for", () => {
  const flags = permissionFlags({
    platform: "posix",
    root: "/w",
    pythons: ["/opt/py", "python3"],
    auditLog: "/var/audit.jsonl",
  });
  assert.equal(
    flags[2],
    "--allow-run=python3,python,/w/.venv/bin/python,/w/venv/bin/python,/w/.virtualenv/bin/python,git,/opt/py",
  );
  assert.equal(flags[4], "--allow-write=/var/audit.jsonl");
});

Deno.test("permissionFlags() lets the server make a sandbox only when it is asked for", () => {
  const [, , run] = permissionFlags({ platform: "posix", sandbox: true });
  assert.equal(run, `${permissionFlags({ platform: "posix" })[2]},bwrap`);
});

Deno.test("permissionFlags() refuses a path that Deno would read as two", () => {
  assert.throws(() => permissionFlags({ platform: "posix", root: "/a,/etc" }), /comma: \/a,\/etc/);
});

Deno.test("denoRunFlags() keeps the project's own Deno settings and remote code out", () => {
  const options = { platform: "posix" } as const;
  assert.deepEqual(denoRunFlags("jsr", options).slice(0, 3), [
    "--quiet",
    "--no-config",
    "--allow-import=jsr.io:443",
  ]);
  assert.deepEqual(denoRunFlags("checkout", options).slice(0, 4), [
    "--quiet",
    "--no-remote",
    "--conditions=browser",
    MEMORY_FLAG,
  ]);
  assert.deepEqual(denoRunFlags("checkout", options).slice(4), permissionFlags(options));
});
