/**
 * Writes `python_sources.ts`: our Python files as text, because neither a compiled binary nor JSR can
 * read them as files. `deno task generate` runs it; a test compares the two.
 *
 * @module
 */
const HERE = new URL("./", import.meta.url);

/** The text of `python_sources.ts` for the Python files as they are now. */
export async function renderPythonSources(): Promise<string> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(HERE)) {
    if (entry.name.endsWith(".py")) files.push(entry.name);
  }
  const lines = await Promise.all(
    files.sort().map(async (file) => {
      const text = (await Deno.readTextFile(new URL(file, HERE))).replaceAll("\r\n", "\n");
      return `  pytest_mcp_${file.slice(0, -3)}:\n    ${JSON.stringify(text)},\n`;
    }),
  );
  return `// deno-fmt-ignore-file
// Generated from the .py files beside it by \`deno task generate\`.

/** Our Python modules: name and source. */
export const PYTHON_SOURCES = {
${lines.join("")}} as const;
`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("python_sources.ts", HERE), await renderPythonSources());
}
