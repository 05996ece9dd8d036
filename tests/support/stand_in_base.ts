/**
 * The smallest executables that `deno compile` takes for its base, where the real one cannot be downloaded:
 * headers with nothing to run.
 *
 * @module
 */

/** A base for a target, by the format of its system. */
export function standInBase(triple: string): Uint8Array {
  if (triple.includes("windows")) return portableExecutable();
  return triple.includes("apple") ? machObject() : elf();
}

function elf(): Uint8Array {
  const bytes = new Layout(0x1000);
  bytes.text(0, "\x7fELF\x02\x01\x01");
  bytes.numbers(16, [2, 2], [2, 0x3e], [4, 1], [8, 0x400078], [8, 64], [8, 0], [4, 0]);
  bytes.numbers(52, [2, 64], [2, 56], [2, 1], [2, 64], [2, 0], [2, 0]);
  // one segment: the file itself
  bytes.numbers(64, [4, 1], [4, 5], [8, 0], [8, 0x400000], [8, 0x400000], [8, 0x1000], [8, 0x1000]);
  bytes.numbers(112, [8, 0x1000]);
  return bytes.whole;
}

function machObject(): Uint8Array {
  const bytes = new Layout(0x4100);
  bytes.numbers(0, [4, 0xfeedfacf], [4, 0x01000007], [4, 3], [4, 2], [4, 3], [4, 3 * 72]);
  const base = 0x100000000;
  const segments: [string, number, number, number, number][] = [
    ["__PAGEZERO", 0, base, 0, 0],
    ["__TEXT", base, 0x4000, 0, 0x4000],
    ["__LINKEDIT", base + 0x4000, 0x4000, 0x4000, 0x100],
  ];
  segments.forEach(([name, address, memory, offset, size], index) => {
    const at = 32 + index * 72;
    bytes.numbers(at, [4, 0x19], [4, 72]);
    bytes.text(at + 8, name);
    bytes.numbers(at + 24, [8, address], [8, memory], [8, offset], [8, size], [4, 1], [4, 1]);
  });
  return bytes.whole;
}

function portableExecutable(): Uint8Array {
  const bytes = new Layout(0x400);
  bytes.text(0, "MZ");
  bytes.numbers(0x3c, [4, 0x40]);
  bytes.text(0x40, "PE");
  bytes.numbers(0x44, [2, 0x8664], [2, 1], [4, 0], [4, 0], [4, 0], [2, 0xf0], [2, 0x22]);
  bytes.numbers(0x58, [2, 0x20b], [2, 14], [4, 0x200], [4, 0], [4, 0], [4, 0x1000], [4, 0x1000]);
  bytes.numbers(0x70, [8, 0x140000000], [4, 0x1000], [4, 0x200], [2, 6]);
  bytes.numbers(0x88, [2, 6], [2, 0], [4, 0], [4, 0x2000], [4, 0x200], [4, 0], [2, 3], [2, 0x8160]);
  bytes.numbers(0xa0, [8, 0x100000], [8, 0x1000], [8, 0x100000], [8, 0x1000], [4, 0], [4, 16]);
  bytes.text(0x148, ".text");
  bytes.numbers(0x150, [4, 0x10], [4, 0x1000], [4, 0x200], [4, 0x200]);
  bytes.numbers(0x16c, [4, 0x60000020]);
  return bytes.whole;
}

/** Numbers and text at their places, little end first. */
class Layout {
  readonly whole: Uint8Array;
  readonly #view: DataView;

  constructor(size: number) {
    this.whole = new Uint8Array(size);
    this.#view = new DataView(this.whole.buffer);
  }

  text(at: number, text: string): void {
    this.whole.set(new TextEncoder().encode(text), at);
  }

  numbers(at: number, ...values: [bytes: 2 | 4 | 8, value: number][]): void {
    for (const [bytes, value] of values) {
      if (bytes === 2) this.#view.setUint16(at, value, true);
      else if (bytes === 4) this.#view.setUint32(at, value, true);
      else this.#view.setBigUint64(at, BigInt(value), true);
      at += bytes;
    }
  }
}
