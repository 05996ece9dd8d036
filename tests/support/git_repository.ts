import { succeeds } from "./succeeds.ts";

/** For a test that needs git, which is not on every machine that can run the others. */
export const NEEDS_GIT: { readonly ignore: boolean } = {
  ignore: !await succeeds("git", ["--version"]),
};

/** Runs git in a repository that a test has made, as somebody whom no setting of this machine knows. */
export async function git(root: string, ...args: string[]): Promise<string> {
  const who = ["-c", "user.name=tester", "-c", "user.email=tester@example.org"];
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: [...who, "-c", "core.autocrlf=false", ...args],
    cwd: root,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`git ${args.join(" ")}: ${text(stderr)}`);
  return text(stdout);
}
