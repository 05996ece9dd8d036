import type { PythonHost } from "./find_python.ts";

/** The machine that we run on, within what Deno lets us see. */
export const denoPythonHost: PythonHost = {
  platform: Deno.build.os === "windows" ? "windows" : "posix",
  variable(name) {
    const { state } = Deno.permissions.querySync({ name: "env", variable: name });
    return state === "granted" ? Deno.env.get(name) : undefined;
  },
  exists(path) {
    try {
      Deno.lstatSync(path);
      return true;
    } catch (error) {
      return error instanceof Deno.errors.NotCapable ? "unknown" : false;
    }
  },
};

/** Whether Deno lets us start this program. */
export function mayRun(command: string): boolean {
  return Deno.permissions.querySync({ name: "run", command }).state === "granted";
}
