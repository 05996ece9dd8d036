/**
 * What the operating system knows about processes.
 *
 * @module
 */
const IS_WINDOWS = Deno.build.os === "windows";

async function ask(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args: [...args], stdin: "null" }).output();
  return new TextDecoder().decode(stdout);
}

/** Memory that a process holds, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  return IS_WINDOWS
    ? Number(await ask("powershell", ["-Command", `(Get-Process -Id ${pid}).WorkingSet64`]))
    : Number(await ask("ps", ["-o", "rss=", "-p", `${pid}`])) * 1024;
}

/** Command lines of all processes that name this text, besides the one that asks. */
export async function processesNaming(text: string): Promise<string[]> {
  const all = IS_WINDOWS
    ? await ask("powershell", [
      "-Command",
      "Get-CimInstance Win32_Process | ForEach-Object CommandLine",
    ])
    : await ask("ps", ["-eo", "args="]);
  return all.split(/\r?\n/).filter((line) => line.includes(text));
}
