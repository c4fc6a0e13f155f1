"""Multi-head attention with all its variants: masks, biases, grouped keys and values, rotation, relative biases."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from symtrans.errors import SpecError
from symtrans.exact.written import Written
from symtrans.model.assembly import Assembly
from symtrans.model.block import Settings
from symtrans.model.quantity import Quantity, Section
from symtrans.model.spec import Literal

DIMENSIONS = ("d_model", "heads", "kv_heads", "d_k", "d_v")
SHARES = {"kv_heads": "heads", "d_k": "d_model/heads", "d_v": "d_k"}
SCALES = ("sqrt", "none")


def attention_quantities(
    settings: Settings, *, diagonals: str = "", key: str = "d_model", value: str = "d_model"
) -> Section:
    """The projections of one multi-head attention; `diagonals` counts those of its scores, if each has a bias.

    `key` and `value` are the widths of what keys and values are projected from.
    """
    found = {
        "W_Q": Quantity(("d_model", "d_k"), copies="heads"),
        "W_K": Quantity((key, "d_k"), copies="kv_heads"),
        "W_V": Quantity((value, "d_v"), copies="kv_heads"),
        "W_O": Quantity(("heads*d_v", "d_model")),
        "b_Q": Quantity(("d_k", "1"), "column", copies="heads", is_optional=True),
        "b_K": Quantity(("d_k", "1"), "column", copies="kv_heads", is_optional=True),
        "b_V": Quantity(("d_v", "1"), "column", copies="kv_heads", is_optional=True),
        "b_O": Quantity(("d_model", "1"), "column", is_optional=True),
    }
    if settings.get("positions") == "relative" and diagonals:
        found["b_rel"] = Quantity(("1", diagonals), "row", copies="heads")
    return found


def take_attention(model: Assembly) -> None:
    """The parameters that the specification gives, as inputs."""
    for local in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "b_rel"):
        if local.startswith("W") or model.has(local):
            model.take(local, parameter=True)
    for local in ("W_O", "b_O"):
        if local == "W_O" or model.has(local):
            model.take(local, parameter=True)


def projected(model: Assembly, local: str, role: str, kind: str, x: str, weights: str, bias: str | None) -> str:
    """x times weights, with a bias where there is one."""
    operands = (x, weights) if bias is None else (x, weights, bias)
    return model.step(local, role, kind, "matmul" if bias is None else "linear", operands)


def multi_head(
    model: Assembly, x: str, memory: str, mask: Literal | None, *, rotates: bool, result: str, values: str | None = None
) -> str:
    """Attention of the rows of `x` to those of `memory`, all heads, joined by W_O; the id of the result.

    Keys and values are projected from `memory`, or values from rows of their own, `values`.
    """
    spec, dimensions = model.spec, model.spec.dimensions
    heads, groups = dimensions["heads"], dimensions["kv_heads"]
    if heads % groups:
        raise SpecError(
            f"{spec.source}: dimensions.kv_heads: is {groups}, which does not divide heads = {heads}; "
            "every key head serves equally many query heads"
        )
    alone = groups == heads
    projections = [("query", "Q", x, head) for head in range(1, heads + 1)]
    projections += [
        (role, letter, source, group)
        for group in range(1, groups + 1)
        for role, letter, source in (("key", "K", memory), ("value", "V", values or memory))
    ]
    for role, letter, source, owner in sorted(projections, key=lambda one: one[3]) if alone else projections:
        _project(model, role, letter, source, owner, owner if alone or role == "query" else None)
    queries = {head: model.own(f"Q_{head}") for head in range(1, heads + 1)}
    keys = {group: model.own(f"K_{group}") for group in range(1, groups + 1)}
    if rotates:
        queries = dict(_rotated(model, "Q", queries, True))
        keys = dict(_rotated(model, "K", keys, alone))
    masked = None if mask is None else model.constant("M", "mask", mask)
    numbers = range(1, heads + 1)
    group = {head: (head - 1) * groups // heads + 1 for head in numbers}
    scores = {
        h: model.step(f"S_{h}", "scores", "scores", "scores", (queries[h], keys[group[h]]), head=h) for h in numbers
    }
    if spec.settings["scale"] == "sqrt":
        width = {"d": dimensions["d_k"]}
        for head, given in scores.items():
            scores[head] = model.step(
                f"Z_{head}", "scaled_scores", "scores", "scale_by_root", (given,), head=head, settings=width
            )
    for head, given in scores.items():
        scores[head] = _biased(model, head, given)
    if masked is not None:
        for head, given in scores.items():
            scores[head] = model.step(f"M_{head}", "masked_scores", "masked", "mask", (given, masked), head=head)
    for head, given in scores.items():
        model.step(f"A_{head}", "weights", "weights", "softmax", (given,), head=head)
    for head in numbers:
        operands = (model.own(f"A_{head}"), model.own(f"V_{group[head]}"))
        model.step(f"H_{head}", "attention_output", "attention_output", "matmul", operands, head=head)
    joined = model.step("C", "concat", "concat", "concat", tuple(model.own(f"H_{h}") for h in range(1, heads + 1)))
    bias = model.own("b_O") if model.has("b_O") else None
    return projected(model, result, result, "linear", joined, model.own("W_O"), bias)


def _project(model: Assembly, role: str, letter: str, x: str, owner: int, head: int | None) -> None:
    """One query, key or value matrix, with its bias where there is one."""
    alone = model.spec.dimensions["heads" if role == "query" else "kv_heads"] == 1

    def own(local: str) -> str:
        return model.own(local) if alone else model.copy_for(local, owner, head=head)

    weights = own(f"W_{letter}")
    bias = (own(f"b_{letter}"),) if model.has(f"b_{letter}") else ()
    op = "linear" if bias else "matmul"
    model.step(f"{letter}_{owner}", role, "projection", op, (x, weights, *bias), head=head, index=owner)


def _biased(model: Assembly, head: int, scores: str) -> str:
    """The scores with what their distance adds: a learned number per diagonal, or a slope times the distance."""
    match model.spec.settings.get("positions"):
        case "relative" if not model.scope.endswith("cross"):
            _check_diagonals(model, model.tape[scores].shape[0])
            bias = model.copy_for("b_rel", head, head=head)
            return model.step(f"B_{head}", "biased_scores", "masked", "relative_bias", (scores, bias), head=head)
        case "alibi" if not model.scope.endswith("cross"):
            rows, columns = model.tape[scores].shape
            distances = tuple(tuple(Written.parse(str(-abs(i - j))) for j in range(columns)) for i in range(rows))
            distance = model.constant("D", "distances", distances)
            slope = model.number(f"m_{head}", "slope", ((_slope(model, head),),), silent=True)
            return model.step(
                f"B_{head}", "biased_scores", "masked", "distance_bias", (scores, slope, distance), head=head
            )
    return scores


def _check_diagonals(model: Assembly, positions: int) -> None:
    """SpecError unless there is one number for each diagonal of the scores."""
    count = len(model.given("b_rel")[0][0])
    if count != 2 * positions - 1:
        raise SpecError(
            f"{model.spec.source}: {model.own('b_rel')}: has {count} entries; {2 * positions - 1} are expected, one "
            f"for each diagonal of the scores of {positions} positions"
        )


def _slope(model: Assembly, head: int) -> Written:
    """The slope of a head, 2^(-8 head/heads), where that is a power of two with a whole exponent."""
    exponent = Fraction(8 * head, model.spec.dimensions["heads"])
    if exponent.denominator != 1:
        raise SpecError(
            f"{model.spec.source}: dimensions.heads: is {model.spec.dimensions['heads']}; "
            "with positions = alibi it divides 8, so that the slopes are powers of two"
        )
    return Written.parse(f"1/{2 ** int(exponent)}")


def _rotated(model: Assembly, letter: str, ids: dict[int, str], has_heads: bool) -> Iterable[tuple[int, str]]:
    """Queries or keys turned by their positions' angles, pair by pair (rotary positions)."""
    root = Assembly(model.spec, model.tape)
    width = model.spec.dimensions["d_k"]
    if width % 2:
        raise SpecError(f"{model.spec.source}: dimensions.d_k: is {width}; with positions = rotary it is even")
    for owner, step_id in ids.items():
        cosines, sines = _angles(root, model.tape[step_id].shape[0], width)
        swap = root.constant("P_rot", "pair_swap", _pair_swap(width))
        turned = model.step(
            f"{letter}r_{owner}",
            "rotated_query" if letter == "Q" else "rotated_key",
            "rotated",
            "rotate",
            (step_id, cosines, swap, sines),
            head=owner if has_heads else None,
            index=owner,
        )
        yield owner, turned


def _angles(root: Assembly, rows: int, width: int) -> tuple[str, str]:
    """The cosines and sines of as many positions; source and target share them where they have the same length."""
    known = root.tape["p"].shape[0] if "p" in root.tape else rows
    suffix = "" if known == rows else "_Y"
    places = tuple((Written.parse(str(place)),) for place in range(rows))
    count = root.constant(f"p{suffix}", f"positions{suffix}", places)
    for local, role, op in (("c_rot", "cosines", "rotary_cosines"), ("s_rot", "sines", "rotary_sines")):
        if local + suffix not in root.tape:
            root.step(local + suffix, role + suffix, "positional_encoding", op, (count,), settings={"d": width})
    return f"c_rot{suffix}", f"s_rot{suffix}"


def _pair_swap(width: int) -> Literal:
    """The matrix that turns each pair (x, y) of columns into (-y, x)."""
    values = [["0"] * width for _ in range(width)]
    for first in range(0, width, 2):
        values[first][first + 1] = "1"
        values[first + 1][first] = "-1"
    return tuple(tuple(Written.parse(text) for text in row) for row in values)
