/** JSON for human eyes: no quotes around text, short objects on one line, long text as indented lines. */
export function readable(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  if (fitsOneLine(value)) return JSON.stringify(value);
  return Object.entries(value).map(([key, entry]) => {
    const text = readable(entry);
    if (Array.isArray(value)) return `- ${indent(text).trimStart()}`;
    return text.includes("\n") ? `${key}:\n${indent(text)}` : `${key}: ${text}`;
  }).join("\n");
}

/** Holds neither objects nor text that is better read on lines of its own. */
function fitsOneLine(value: object): boolean {
  const json = JSON.stringify(value);
  return json.length <= 160 && !/[[{]/.test(json.slice(1)) && !json.includes("\\n");
}

function indent(text: string): string {
  return text.split("\n").map((line) => `  ${line}`).join("\n");
}
