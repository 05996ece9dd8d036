/**
 * The projects that are measured: path → text.
 *
 * @module
 */

/** The files of a project. */
export type ProjectText = Readonly<Record<string, string>>;

const INI = { "pytest.ini": "[pytest]\n" };

/** Tests that do next to nothing, at most a hundred in a file. */
export function fastTests(count: number): ProjectText {
  const files: Record<string, string> = { ...INI };
  for (let first = 0; first < count; first += 100) {
    const size = Math.min(100, count - first);
    files[`tests/test_fast_${first / 100}.py`] = Array.from(
      { length: size },
      (_, index) => `def test_${index}():\n    assert ${index} + 1 == ${index + 1}\n`,
    ).join("\n\n");
  }
  return files;
}

/** Functions with a hundred parameter sets each, ten in a file. */
export function parametrisedTests(count: number): ProjectText {
  const files: Record<string, string> = { ...INI };
  for (let file = 0; file < count / 1_000; file++) {
    const functions = Array.from(
      { length: 10 },
      (_, index) =>
        `@pytest.mark.parametrize("value", range(100))\ndef test_${index}(value):\n    assert value >= 0\n`,
    );
    files[`tests/test_many_${file}.py`] = ["import pytest\n", ...functions].join("\n\n");
  }
  return files;
}

/** Failures that a web application raises below its framework. */
export function deepFailures(count: number): ProjectText {
  return {
    ...INI,
    "shop.py": `import flask

app = flask.Flask(__name__)
app.testing = True
PAGE = "{% macro price(cents) %}{{ money(cents) }}{% endmacro %}{% for c in cart %}{{ price(c) }}{% endfor %}"


def money(cents):
    if cents % 2:
        raise ValueError("%d cents cannot be paid in coins" % cents)
    return "%.2f" % (cents / 100)


@app.route("/cart/<int:number>")
def cart(number):
    return flask.render_template_string(PAGE, cart=[number * 2, number * 2 + 1], money=money)
`,
    "test_shop.py": `import pytest
from shop import app


@pytest.mark.parametrize("number", range(${count}))
def test_cart(number):
    assert app.test_client().get("/cart/%d" % number).status_code == 200
`,
  };
}
