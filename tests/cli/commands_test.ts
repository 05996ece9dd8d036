import assert from "node:assert/strict";
import { CLIENT_NAMES } from "../../src/cli/clients.ts";
import { chooseCommand, COMMAND_NAMES, COMMANDS, renderHelp } from "../../src/cli/commands.ts";

Deno.test("chooseCommand() serves when no command is named", () => {
  assert.deepEqual(chooseCommand([]), { kind: "command", name: "serve", args: [] });
  assert.deepEqual(chooseCommand(["--root", "a"]), {
    kind: "command",
    name: "serve",
    args: ["--root", "a"],
  });
});

Deno.test("chooseCommand() leaves the rest of the line to the command", () => {
  assert.deepEqual(chooseCommand(["run", "-x", "--help"]), {
    kind: "command",
    name: "run",
    args: ["-x", "--help"],
  });
  assert.deepEqual(chooseCommand(["--help"]), { kind: "help" });
  assert.deepEqual(chooseCommand(["--version"]), { kind: "version" });
});

Deno.test("chooseCommand() names the known commands when it meets another", () => {
  assert.deepEqual(chooseCommand(["runn"]), {
    kind: "error",
    message: "Unknown command 'runn': the commands are serve, run, discover, doctor, config",
  });
});

Deno.test("renderHelp() shows every command and every flag of serve within 80 columns", () => {
  const help = renderHelp("9.9.9");
  assert.match(help, /^pytest-mcp 9\.9\.9/);
  assert.ok(COMMANDS.config.summary.endsWith(`: ${CLIENT_NAMES.join(", ")}`));
  for (const name of COMMAND_NAMES) assert.ok(help.includes(COMMANDS[name].summary.slice(0, 30)));
  for (const flag of COMMANDS.serve.flags) assert.ok(help.includes(`--${flag.name}`));
  assert.deepEqual(help.split("\n").filter((line) => line.length > 80), []);
});
