import { fileURLToPath } from "node:url";
import denoJson from "../../deno.json" with { type: "json" };
import type { PythonPlatform } from "../pytest/python_layout.ts";
import type { Form } from "./permissions.ts";

/** How the program that is running was installed. */
export interface ThisProgram {
  readonly form: Form;
  readonly platform: PythonPlatform;
  readonly version: string;
  /** the binary itself, or the Deno that runs the source */
  readonly executable: string;
  /** main.ts of a checkout; of no use in the other forms */
  readonly entry: string;
}

/** Looks at itself: no permission is needed for any of it. */
export function thisProgram(): ThisProgram {
  // written so that no bundler takes it for a worker to be embedded
  const main = import.meta.url.replace(/src\/cli\/[^/]*$/, "main.ts");
  const local = main.startsWith("file:");
  return {
    form: Deno.build.standalone ? "binary" : local ? "checkout" : "jsr",
    platform: Deno.build.os === "windows" ? "windows" : "posix",
    version: denoJson.version,
    executable: Deno.execPath(),
    entry: local ? fileURLToPath(main) : main,
  };
}
