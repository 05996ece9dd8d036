import assert from "node:assert/strict";
import { lossesOf } from "../../src/pytest/patch_losses.ts";

/** [what happens, old lines, new lines, what is lost] */
const LOSSES: [string, string[], string[], readonly string[] | null][] = [
  ["a method keeps its name", ["    def old(self):"], ["    def old(self, more):"], null],
  ["a method is renamed", ["    def old(self):"], ["    def renamed(self):"], []],
  ["an async method goes", ["        return 1", "    async def old(self):"], [], []],
  ["a class is renamed", ["class Old:"], ["class New:"], []],
  ["lines within a function change", ["    x = f(1)"], ["    y = f(2)"], null],
  ["comments and blank lines go", ["# text", "", "    # more"], [], null],
  ["a constant gets another value", ["A = 1"], ["A: int = 2"], null],
  ["a constant is renamed", ["A = 1"], ["B = 1"], []],
  ["one of two targets goes", ["a, b = 1, 2"], ["a = 1"], []],
  ["a constant becomes a function", ["A = 1"], ["def A():"], null],
  ["an imported name is replaced", ["from math import floor"], ["from math import ceil"], [
    "math.floor",
  ]],
  ["an alias gets another source", ["from a import f as g"], ["from b import f as g"], [
    "a",
    "a.f",
  ]],
  ["an import brings more", ["from a import f"], ["from a import f, g"], null],
  ["an import moves", ["import a.b"], ["import os", "import a.b"], null],
  ["an import is replaced", ["import plug, reg"], ["import json, reg"], ["plug"]],
  ["a relative import goes", ["from . import plug", "from ..a.b import c"], [], [
    ".plug",
    "..a.b",
    "..a.b.c",
  ]],
  ["a line of a long import goes", ["    floor,  # why"], ["    ceil,"], []],
  ["a star import goes", ["from a import *"], ["import a"], ["a.*"]],
  ["autouse goes", ["@pytest.fixture(autouse=True)"], ["@pytest.fixture()"], []],
  ["a decorator goes", ["    @property"], [], []],
  ["a statement goes", ["os.environ['A'] = '1'"], [], [""]],
  ["a call changes", ["register(one)"], ["register(two)"], [""]],
  ["the head of a block changes", ["if A:"], ["if B:"], [""]],
  ["a docstring changes", ["Some words about if and else."], ["Other words."], null],
  ["the end of a bracket goes", [")"], ["):"], null],
];

for (const [label, removed, added, lost] of LOSSES) {
  Deno.test(`lossesOf() is ${JSON.stringify(lost)} when ${label}`, () => {
    const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
    const found = lossesOf(
      `a.py b.py\n--- a.py\n+++ a.py\n@@ -1 +1 @@ class A:\n${lines.join("\n")}\n`,
    );
    assert.deepEqual(found, lost);
  });
}
