const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, OPEN_ARRAY, COMMA] = [0x7b, 0x5b, 0x2c];

/** Many times what 10,000 node ids and every other parameter have; as many take some 20 MB of memory. */
export const MAX_VALUES = 250_000;

/** Whether the text must not be parsed: as values, `{},{},{}…` takes a hundred times the memory of its text. */
export function hasTooManyValues(json: string): boolean {
  if (json.length <= MAX_VALUES) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < json.length && values <= MAX_VALUES; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) inString = !inString;
    else if (inString) { if (character === BACKSLASH) at++; }
    else if (character === COMMA || character === OPEN_OBJECT || character === OPEN_ARRAY) values++;
  }
  return values > MAX_VALUES;
}
