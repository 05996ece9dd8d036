/**
 * The projects on which the size of answers is measured, and what is promised for each.
 *
 * @module
 */

/** A project and the bound on its answer. */
export interface TokenSituation {
  readonly name: string;
  /** path → content */
  readonly files: Readonly<Record<string, string>>;
  /** parameters of execute_tests */
  readonly params?: Record<string, unknown>;
  /** characters of the answer: what a test can hold without a tokenizer, with room for longer durations */
  readonly chars: number;
  /** tokens, whatever pytest's own answer takes */
  readonly atMost?: number;
  /** of the tokens of `pytest -q --tb=short --no-header` */
  readonly share?: number;
  /** pytest itself would never end */
  readonly endless?: boolean;
}

/** Tokens of a green answer, whatever the size of the suite. */
const GREEN = 90;

function passing(count: number): string {
  return `import pytest

@pytest.mark.parametrize("n", range(${count}))
def test_passes(n):
    assert n >= 0
`;
}

const ONE_OF_TEN = {
  "shop/basket.py": `class Basket:
    def __init__(self):
        self.items = []

    def add(self, price, copies=1):
        self.items.append((price, copies))

    def total(self):
        return sum(price for price, copies in self.items)
`,
  "shop/__init__.py": "",
  "tests/test_basket.py": `import pytest
from shop.basket import Basket


def check_total(basket, expected):
    assert basket.total() == expected


@pytest.mark.parametrize("price", range(9))
def test_one_copy(price):
    basket = Basket()
    basket.add(price)
    check_total(basket, price)


def test_two_copies():
    basket = Basket()
    basket.add(10, copies=2)
    check_total(basket, 20)
`,
  "pytest.ini": "[pytest]\npythonpath = .\n",
};

const LIBRARY = {
  "shop/__init__.py": "",
  "shop/remote.py": `import copy
import json
import threading
import urllib.request
import xmlrpc.client


def prices():
    return urllib.request.urlopen("http://127.0.0.1:9/prices", timeout=5).read()


def order(book):
    return xmlrpc.client.ServerProxy("http://127.0.0.1:9/orders").create(book)


def snapshot(stock):
    return copy.deepcopy({"stock": {"books": stock, "lock": threading.Lock()}})


def export(stock):
    return json.dumps({"shop": {"stock": [{"books": stock}]}}, indent=2)
`,
  "tests/test_remote.py": `from shop import remote


def test_prices():
    assert remote.prices()


def test_order():
    assert remote.order("Dune")


def test_snapshot():
    assert remote.snapshot(["Dune"])


def test_export():
    assert remote.export({"Dune"})
`,
  "pytest.ini": "[pytest]\npythonpath = .\n",
};

const ONE_FIXTURE = {
  "conftest.py": `import pytest


def connect(url):
    raise ConnectionError(f"cannot reach {url}")


@pytest.fixture
def database():
    return connect("postgres://localhost/shop")
`,
  "test_orders.py": `import pytest


@pytest.mark.parametrize("n", range(200))
def test_order(database, n):
    assert database.order(n)
`,
};

/** A third of them compare values, the others raise some calls below the test. */
const TWENTY = {
  "shop/__init__.py": "",
  "shop/api.py": `from shop import orders


def post_order(request):
    return {"status": 201, "order": orders.place(request["customer"], request["books"])}
`,
  "shop/orders.py": `from shop import rules


def place(customer, books):
    checked = [rules.check(customer, book) for book in books]
    return {
        "customer": customer["name"],
        "books": checked,
        "total": sum(book["price"] for book in checked),
        "shipping": rules.shipping(customer, checked),
        "status": "placed",
    }


def label(order):
    return "\\n".join(f"{book['title']}: {book['price']}" for book in order["books"])
`,
  "shop/rules.py": `from shop import stock


class NotAllowed(Exception):
    pass


def check(customer, book):
    if book.get("adult") and customer["age"] < 18:
        raise NotAllowed(f"{customer['name']} is {customer['age']} and may not buy {book['title']!r}")
    return dict(book, left=stock.take(book["title"], book.get("copies", 1)))


def shipping(customer, books):
    return rate(customer["country"]) * len(books)


def rate(country):
    try:
        return {"AT": 3, "DE": 4}[country]
    except KeyError as error:
        raise LookupError(f"no shipping to {country}") from error
`,
  "shop/stock.py": `LEFT = {"Dune": 2, "Emma": 0, "Ulysses": 9}


def take(title, copies):
    left = LEFT[title]
    if copies > left:
        raise ValueError(f"{copies} copies of {title!r} wanted, {left} left")
    return left - int(copies)
`,
  "shop/invoice.py": `import json
from datetime import datetime
from decimal import Decimal
from string import Template


def amount(text):
    return Decimal(text).quantize(Decimal("0.01"))


def due(text):
    return datetime.strptime(text, "%Y-%m-%d").date()


def load(text):
    data = json.loads(text)
    return amount(data["amount"]), due(data["due"])


def letter(text, **values):
    return Template(text).substitute(values)
`,
  "tests/test_orders.py": `from shop import api, invoice, orders

DUNE = {"title": "Dune", "price": 12}
ULYSSES = {"title": "Ulysses", "price": 20}
ADA = {"name": "Ada", "age": 36, "country": "AT"}


def place(*books, **customer):
    return api.post_order({"customer": dict(ADA, **customer), "books": list(books)})["order"]
${
    [
      'assert place(DUNE) == {"customer": "Ada", "books": [], "total": 12, "shipping": 3, "status": "new"}',
      'assert place(DUNE)["books"] == [dict(DUNE, left=2)]',
      'assert orders.label(place(DUNE, ULYSSES)) == "Dune: 12\\nUlysses: 21"',
      'assert [book["title"] for book in place(DUNE, ULYSSES)["books"]] == ["Ulysses", "Dune"]',
      'assert set(place(DUNE)) == {"customer", "books", "total", "shipping"}',
      'assert not place(ULYSSES)["books"]',
      "place(dict(DUNE, adult=True), age=15)",
      "place(dict(DUNE, copies=3))",
      'place({"title": "Emma", "price": 5})',
      'place({"title": "Iliad", "price": 5})',
      'place(DUNE, country="FR")',
      'place({"title": "Dune"})',
      'place(dict(DUNE, copies="2"))',
      "place(dict(DUNE, copies=None))",
      'place(dict(DUNE, adult=True), age="15")',
      "place(None)",
      'invoice.load("{amount: 1}")',
      'invoice.load(\'{"amount": "12,50"}\')',
      'invoice.load(\'{"amount": "12.50", "due": "2024-13-01"}\')',
      'invoice.letter("Dear $name, $amount is due", name="Ada")',
    ].map((statement, n) => `\n\ndef test_order_${n}():\n    ${statement}\n`).join("")
  }`,
  "pytest.ini": "[pytest]\npythonpath = .\n",
};

const BROKEN = {
  "test_new.py": "from shop.cart import Cart\n\n\ndef test_cart():\n    assert Cart()\n",
  "test_typo.py": "def test_typo()\n    assert True\n",
  "test_fine.py": passing(5),
};

const HANGS = {
  "test_pool.py": `import threading


def acquire(lock):
    lock.acquire()


def test_fine():
    assert True


def test_acquire_twice():
    lock = threading.Lock()
    acquire(lock)
    acquire(lock)
`,
};

/** In the order of the table. */
export const TOKEN_SITUATIONS: readonly TokenSituation[] = [
  { name: "10 pass", chars: 270, files: { "test_all.py": passing(10) }, atMost: GREEN },
  { name: "156 pass", chars: 270, files: { "test_all.py": passing(156) }, atMost: GREEN },
  { name: "8,000 pass", chars: 270, files: { "test_all.py": passing(8_000) }, atMost: GREEN },
  { name: "1 of 10 fails", chars: 610, files: ONE_OF_TEN, share: 1.2 },
  { name: "a library raises, 4 tests", chars: 2_100, files: LIBRARY, share: 0.4 },
  { name: "200 failures of one fixture", chars: 680, files: ONE_FIXTURE, share: 0.02 },
  { name: "20 different failures", chars: 8_400, files: TWENTY, share: 0.6 },
  { name: "two files cannot be collected", chars: 600, files: BROKEN },
  { name: "timeout", chars: 450, files: HANGS, params: { timeout: 2 }, endless: true },
];
