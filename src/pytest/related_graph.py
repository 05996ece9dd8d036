"""Who uses whom, and which tests reach what."""

from __future__ import annotations

from typing import Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from pytest_mcp_related_resolve import Node


class Step(NamedTuple):
    """How a node is reached from a changed one: the number of hops, and the node one step nearer to the change."""

    distance: int
    nearer: Optional[Node]


def mention(name: str) -> Node:
    """The node that stands for `.name` on any object."""
    return "", "." + name


class Graph:
    """Edges from users to what they use."""

    def __init__(self) -> None:
        self.uses: Dict[Node, Set[Node]] = {}
        # Methods that run only where both their class and their name are reached.
        self.owners: Dict[Node, Node] = {}
        # Nodes that are no step of a chain: re-exports, containers.
        self.silent: Set[Node] = set()
        self._by_file: Optional[Dict[str, Set[Node]]] = None

    def add(self, user: Node, used: Iterable[Node]) -> None:
        """Note that `user` uses these nodes."""
        self.uses.setdefault(user, set()).update(used)

    def nodes_in(self, path: str) -> Set[Node]:
        """The nodes of a file."""
        if self._by_file is None:
            self._by_file = {}
            for node in self.uses:
                self._by_file.setdefault(node[0], set()).add(node)
        return self._by_file.get(path, set())

    def reaching(self, tests: List[Node]) -> Dict[Node, int]:
        """For every node the tests that reach it, as a bit set in the order of `tests`."""
        gates = self._gates()
        # Users before what they use: without cycles one round is enough.
        order = self._users_first(tests)
        reach: Dict[Node, int] = {test: 1 << index for index, test in enumerate(tests)}
        changed = set(tests)
        while changed:
            for node in order:
                if node not in changed:
                    continue
                changed.remove(node)
                bits = reach[node]
                for used in self.uses.get(node, ()):
                    old = reach.get(used, 0)
                    if bits | old != old:
                        reach[used] = bits | old
                        changed.add(used)
                for method, other in gates.get(node, ()):
                    old = reach.get(method, 0)
                    new = old | bits & reach.get(other, 0)
                    if new != old:
                        reach[method] = new
                        changed.add(method)
        return reach

    def _users_first(self, tests: List[Node]) -> List[Node]:
        """All nodes that the tests can reach, each before what it uses, as far as cycles allow."""
        methods: Dict[Node, List[Node]] = {}
        for method, owner in self.owners.items():
            methods.setdefault(owner, []).append(method)
        seen: Set[Node] = set()
        finished: List[Node] = []
        waiting: List[Tuple[Node, bool]] = [(test, False) for test in tests]
        while waiting:
            node, done = waiting.pop()
            if done:
                finished.append(node)
            elif node not in seen:
                seen.add(node)
                waiting.append((node, True))
                below = (*self.uses.get(node, ()), *methods.get(node, ()))
                waiting += [(each, False) for each in below if each not in seen]
        return finished[::-1]

    def _gates(self) -> Dict[Node, List[Tuple[Node, Node]]]:
        """For each class and each mention: the methods that wait for it, and what else they wait for."""
        gates: Dict[Node, List[Tuple[Node, Node]]] = {}
        for method, owner in self.owners.items():
            name = mention(method[1].rpartition(".")[2])
            gates.setdefault(owner, []).append((method, name))
            gates.setdefault(name, []).append((method, owner))
        return gates

    def users(self) -> Dict[Node, List[Node]]:
        """The edges turned round."""
        users: Dict[Node, List[Node]] = {}
        for user, used in self.uses.items():
            for node in used:
                users.setdefault(node, []).append(user)
        for method, owner in self.owners.items():
            users.setdefault(method, []).append(owner)
        return users


def distances(graph: Graph, users: Dict[Node, List[Node]], changed: Iterable[Node]) -> Dict[Node, Step]:
    """The shortest way from the changed nodes to everything that uses them; silent nodes count nothing."""
    steps: Dict[Node, Step] = {node: Step(0, None) for node in changed}
    level: List[Node] = sorted(steps)  # sorted, here and below, so that the same request has the same answer
    distance = 0
    while level:
        further: List[Node] = []
        for node in level:  # grows while it is walked: silent users are on the same level
            if steps[node].distance < distance:
                continue
            for user in sorted(users.get(node, ())):
                if user in steps:
                    continue
                silent = user in graph.silent
                steps[user] = Step(distance if silent else distance + 1, node)
                (level if silent else further).append(user)
        level = further
        distance += 1
    return steps
