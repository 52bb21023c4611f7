"""Estimates of trees, and the orders that they lead to."""

import json
import math
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from magics.prove import branch, orders
from magics.prove.orders import Order, placing_order, usual_order
from magics.prove.pilot import estimate, pilot
from magics.prove.schedule import Plan, plan_for, plan_of
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.cli import main
from rookery.kernel import U64

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors


def nodes_of(p: Plan) -> int:
    """All of them: no factor may be on the way."""
    s = branch.state_for(p)
    nodes = 0
    for prefix in range(branch.prefixes(p)):
        branch.stand_at(p, s, prefix)
        assert int(branch.search(p, s, U64(1 << 50))) == branch.EXHAUSTED
        nodes += s.nodes
    return nodes


@pytest.mark.parametrize("square", ["c1", "d1", "e8"])  # 650,369, 4,703 and 36,697 nodes: none has a factor
def test_the_mean_of_many_dives_is_the_tree(square: str) -> None:
    p = plan_for("bishop", parse_square(square), 4)
    nodes = nodes_of(p)
    assert estimate(p, dives=2048) == pytest.approx(nodes, rel=0.15)
    assert estimate(p, dives=2048, seed=1) != estimate(p, dives=2048)
    assert estimate(p, dives=2048) == estimate(p, dives=2048)


def test_an_estimate_ends_where_it_is_worth_nothing() -> None:
    p = plan_for("bishop", parse_square("d1"), 4)
    assert estimate(p, worth=100.0) == math.inf
    assert estimate(p, worth=1e9) == estimate(p)


def test_a_pilot_finds_an_order_with_fewer_nodes() -> None:
    square = parse_square("c7")
    order = pilot("bishop", square, 4, tries=100)
    assert sorted(order.blockers) == sorted(SQUARE_NAMES[s] for s in relevant_occupancy("bishop", square))
    found = nodes_of(plan_of("bishop", square, 4, [parse_square(s) for s in order.blockers]))
    usual = nodes_of(plan_of("bishop", square, 4, usual_order(relevant_occupancy("bishop", square), square)))
    assert 2 * found < usual, order
    assert found / 2 < order.nodes < 2 * found
    assert pilot("bishop", square, 4, tries=100) == order


def test_no_try_leaves_the_usual_order() -> None:
    order = pilot("bishop", parse_square("d1"), 4, tries=0)
    assert [parse_square(s) for s in order.blockers] == usual_order(relevant_occupancy("bishop", 3), 3)
    assert order.nodes == order.usual_nodes


def test_proofs_take_the_stored_orders() -> None:
    assert orders.orders()
    for order in orders.orders():
        square = parse_square(order.square)
        blockers = [parse_square(s) for s in order.blockers]
        assert placing_order(order.piece, square, order.bits) == blockers
        digest = plan_of(order.piece, square, order.bits, blockers).digest()
        assert plan_for(order.piece, square, order.bits).digest() == digest
        usual = usual_order(relevant_occupancy(order.piece, square), square)
        assert placing_order(order.piece, square, order.bits + 1) == usual
        assert order.nodes < order.usual_nodes


def test_orders_are_added_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    new = Order("bishop", "c1", 4, ("g5", "f4", "e3", "d2", "b2"), 5, 10)
    replaced = orders.orders()[0]._replace(nodes=1)
    orders.write(path, [new, replaced])
    records = json.loads(path.read_text())["orders"]
    assert len(records) == len(orders.orders()) + 1
    assert {**new._asdict(), "blockers": list(new.blockers)} in records
    assert [r["nodes"] for r in records if (r["piece"], r["square"]) == (replaced.piece, replaced.square)] == [1]


FOREIGN = ["", "my notes", "[]", "[" * 100_000, '{"orders": {}, "mine": 1}', '{"orders": [7]}', '{"orders": [[]]}']


@pytest.mark.parametrize("text", FOREIGN)
def test_a_file_of_something_else_is_no_place_for_orders(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    printed = r"^orders: .*/notes: not a file of orders: "
    for write in (lambda: orders.write(path, []), lambda: orders.read(path)):
        with pytest.raises(ValueError, match=printed):
            write()
    command = ["magics", "pilot", "--piece", "rook", "--square", "b2", "--out", str(path)]
    refused = CliRunner().invoke(main, command)  # at once: for a rook the work takes minutes
    assert refused.exit_code == 2
    assert "not a file of orders" in refused.stderr
    assert path.read_text() == text


def test_orders_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    good = orders.orders()[0]._asdict()
    for field in ("bits", "nodes", "usual_nodes"):
        path.write_text(json.dumps({"orders": [{**good, field: "9"}]}))
        with pytest.raises(ValueError, match="expected whole numbers"):
            orders.write(path, [orders.orders()[1]])


def test_the_command_adds_to_a_file(tmp_path: Path) -> None:
    """A second square beside the first; a new file begins with the stored orders."""
    path = tmp_path / "orders.json"
    for square in ("d1", "d8"):
        command = ["magics", "pilot", "--piece", "bishop", "--square", square, "--tries", "2", "--out", str(path)]
        assert CliRunner().invoke(main, command).exit_code == 0
    kept = {(order.piece, order.square): order for order in orders.read(path)}
    assert {*kept} == {("bishop", "d1"), ("bishop", "d8"), *((o.piece, o.square) for o in orders.orders())}
    path.write_text(json.dumps({"orders": [kept["bishop", "d1"]._asdict()]}))
    orders.write(path, [kept["bishop", "d8"]])
    assert orders.read(path) == (kept["bishop", "d1"], kept["bishop", "d8"])


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{", "orders: damaged: "),
        ('{"orders": [{"piece": "bishop"}]}', "orders: damaged: "),
        (
            '{"orders": [{"piece": "bishop", "square": "c1", "bits": 4, "blockers": ["b2", "b2", "e3", "f4", "g5"],'
            ' "nodes": 1, "usual_nodes": 2}]}',
            "orders: damaged: bishop c1: blockers: expected b2, d2, e3, f4, g5, each once",
        ),
    ],
)
def test_a_damaged_file_of_orders(text: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "orders.json").write_text(text)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=printed):
        orders.orders.__wrapped__()


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    command = ["magics", "pilot", "--piece", "bishop", "--square", "d1", "--tries", "5", "--out", str(path)]
    shown = CliRunner().invoke(main, [*command, "--json"])
    assert shown.exit_code == 0, shown.output
    [order] = json.loads(shown.stdout)
    assert order == {**pilot("bishop", 3, 4, tries=5)._asdict(), "blockers": order["blockers"]}
    assert order in json.loads(path.read_text())["orders"]
    table = CliRunner().invoke(main, command[:-2])
    assert "d1" in table.stdout
    assert "Nodes are estimates." in table.stdout
    refused = CliRunner().invoke(main, ["magics", "pilot", "--piece", "bishop", "--square", "d1", "--bits", "3"])
    assert refused.exit_code != 0
    assert "bits: 3 bits have 8 slots" in refused.output
