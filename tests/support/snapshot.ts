import assert from "node:assert/strict";

/** Compares a text with the checked-in file; `UPDATE_SNAPSHOTS=1` accepts what there is now. */
export async function assertSnapshot(file: URL, text: string): Promise<void> {
  if (Deno.env.get("UPDATE_SNAPSHOTS") === "1") await Deno.writeTextFile(file, text);
  const expected = await Deno.readTextFile(file).catch(() => "");
  assert.equal(text, expected.replaceAll("\r\n", "\n"), "UPDATE_SNAPSHOTS=1 accepts the change");
}
