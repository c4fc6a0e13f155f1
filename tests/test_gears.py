"""Both gears of certified decimals: the same digits by doubles, by Arb and by exact values, and what is left to Arb."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest

import symtrans
from symtrans.derive import gears
from symtrans.derive.arb_rows import ArbRows
from symtrans.derive.derivation import Derivation, derive
from symtrans.derive.gears import Gears
from symtrans.errors import LimitError, UndefinedValue
from symtrans.exact.double_functions import to_arb
from symtrans.exact.floats import Floats
from symtrans.exact.rounding import certify, certify_at
from symtrans.model.toml_text import parse_toml

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")
nn = torch.nn
BITS = 192
LAST = "Z_encoder_output"


def layer(**options: Any) -> Any:
    """An encoder layer of d_model 64 whose every parameter is random, in evaluation mode."""
    made = nn.TransformerEncoderLayer(64, 4, 128, dtype=torch.float64, **options).eval()
    source = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=source, dtype=torch.float64) / 8)
    return made


def rows(count: int, seed: int = 0, width: int = 64) -> Any:
    return torch.randn(count, width, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def derived(count: int = 5, masks: Any = None, **options: Any) -> tuple[Derivation, Any]:
    module, x = layer(**options), rows(count)
    return symtrans.from_torch(module, x, **(masks or {})).derive(), module(x, **(masks or {}))


MODULES: dict[str, dict[str, Any]] = {
    "relu": {},
    "gelu": {"activation": "gelu"},
    "silu, pre-norm": {"activation": nn.functional.silu, "norm_first": True},
    "no biases": {"bias": False},
    "an op that doubles do not know": {"activation": nn.GELU("tanh")},
    "masked": {"masks": {"src_mask": torch.full((5, 5), -math.inf, dtype=torch.float64).triu(1)}},
}


@pytest.mark.parametrize("options", MODULES.values(), ids=MODULES)
def test_every_step_has_the_same_digits_in_both_gears(options: dict[str, Any]) -> None:
    """By doubles, and by Arb alone; and every ball of doubles meets Arb's narrow one."""
    derivation, _ = derived(**options)
    tape = derivation.tape
    both, arb = Gears(tape), ArbRows(tape)
    by_doubles = entries = 0
    for step in [step for step in tape if step.op is not None]:
        texts, effort = both.decimals(step.id, 6), both.effort(step.id, 6)
        places = range(len(texts))
        balls = arb.entries(step.id, places, BITS)
        printed = [certify_at(ball, 6, BITS) for ball in balls]
        assert [one.plain for one in printed if one is not None] == texts, step.id
        own = both.doubles.of(step.id)
        for ball, true in zip(to_arb(own), balls, strict=True):
            assert ball.is_nan() or ball.overlaps(true), step.id
        by_doubles, entries = by_doubles + effort.by_doubles, entries + effort.entries
    assert by_doubles > (0.9 if "masks" not in options else 0.85) * entries > 4000


def test_a_layer_has_the_digits_that_pytorch_rounds() -> None:
    derivation, expected = derived()
    step = derivation[LAST]
    texts = step.decimals(10)
    assert [len(row) for row in texts] == [64] * 5
    assert np.allclose([[float(cell) for cell in row] for row in texts], expected.detach(), rtol=0, atol=1e-9)
    effort = step.effort()
    assert effort is not None
    assert (effort.entries, effort.by_doubles, effort.by_arb, effort.bits) == (320, 320, 0, 0)
    assert 0 < float(effort.widths[LAST]) < 1e-10
    assert float(effort.widths["Q_1"]) < 1e-16
    assert effort.widths["W_1"] == "0"


def test_a_layer_of_real_size() -> None:
    """d_model 512, 8 heads, 16 positions: doubles decide all but chance entries; one row is compared with Arb's."""
    torch.manual_seed(0)
    module = nn.TransformerEncoderLayer(512, 8, 2048, 0.0, dtype=torch.float64).eval()
    x = rows(16, width=512)
    derivation = symtrans.from_torch(module, x).derive()
    texts = derivation[LAST].decimals(6)
    effort = derivation[LAST].effort(6)
    assert effort is not None
    assert effort.by_doubles >= 8190
    assert effort.entries == 8192
    own, other = np.array(texts, dtype=float), module(x).detach().numpy()
    assert np.allclose(own, other, rtol=5.1e-6, atol=1e-12)
    found = Gears(derivation.tape)
    balls = to_arb(found.doubles.of(LAST))[512 * 3 : 512 * 4]
    true = found.arb.entries(LAST, range(512 * 3, 512 * 4), 128)
    assert all(ball.overlaps(one) and one.rad() < 1e-25 for ball, one in zip(balls, true, strict=True))
    assert [one.plain for ball in true if (one := certify_at(ball, 6, 128)) is not None] == texts[3]


def test_the_digits_are_those_of_exact_values() -> None:
    """The rational steps as the other way has them, from whole matrices of fractions."""
    derivation, _ = derived(2)
    for step_id in ("Q_1", "S_2"):
        exact = [certify(entry, 6).plain for entry in derivation.values.tensor(step_id).entries]
        assert [text for row in derivation[step_id].decimals(6) for text in row] == exact


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_what_doubles_leave_open_is_decided_in_arb(monkeypatch: pytest.MonkeyPatch, activation: str) -> None:
    derivation, _ = derived(activation=activation)
    expected = Gears(derivation.tape).decimals(LAST, 6)
    decided = gears.decided

    def reluctant(*arguments: Any) -> list[str | None]:
        return [None if place in (7, 70, 75) else text for place, text in enumerate(decided(*arguments))]

    monkeypatch.setattr(gears, "decided", reluctant)
    found = Gears(derivation.tape)
    texts, effort = found.decimals(LAST, 6), found.effort(LAST, 6)
    assert texts == expected
    assert (effort.by_doubles, effort.by_arb) == (317, 3)
    assert effort.bits >= 128
    monkeypatch.setattr(gears, "decided", lambda balls, _: [None] * balls.high.size)
    found = Gears(derivation.tape)
    texts, effort = found.decimals(LAST, 6), found.effort(LAST, 6)
    assert texts == expected
    assert (effort.by_doubles, effort.by_arb, effort.bits) == (0, 320, 128)


def test_some_rows_are_the_rows_of_all() -> None:
    """What single entries need is computed for their rows alone: the balls are those of the whole step."""
    derivation, _ = derived(6)
    arb, width = ArbRows(derivation.tape), 64
    whole = arb.entries(LAST, range(6 * width), BITS)
    for places in ([5], [0, 1, 64 * 3 + 7], [64 * 5], list(range(64))):
        for place, ball in zip(places, arb.entries(LAST, places, BITS), strict=True):
            assert ball.overlaps(whole[place])
            assert ball.rel_accuracy_bits() > 100
    needed = arb._needed(derivation.tape.sliced([LAST]), LAST, (2,))
    assert (needed["U"], needed["Z_attn"], needed["A_1"], needed["Q_1"]) == ((2,),) * 4
    assert needed["K_1"] is needed["V_1"] is needed["x"] is needed["W_1"] is None


def test_deep_stacks_go_on_in_arb_where_doubles_give_out() -> None:
    module = nn.TransformerEncoder(layer(), 3, enable_nested_tensor=False)
    x = rows(2)
    derivation = symtrans.from_torch(module, x).derive()
    found = Gears(derivation.tape)
    texts, effort = (work("enc3.Z_encoder_output", 6) for work in (found.decimals, found.effort))
    widths = [float(effort.widths[f"enc{n}.Z_encoder_output"]) for n in (1, 2, 3)]
    assert widths == sorted(widths)
    assert effort.by_arb > 0
    assert np.allclose(list(map(float, texts)), module(x).detach().ravel(), atol=1e-5)
    alone = ArbRows(derivation.tape).entries("enc3.Z_encoder_output", range(128), 320)
    assert [one.plain for ball in alone if (one := certify_at(ball, 6, 320)) is not None] == texts


def test_exact_values_in_large_models_are_printed_as_such() -> None:
    """Zeros of a ReLU, and sums that end: no ball of doubles decides what is a decimal itself."""
    module = nn.TransformerEncoderLayer(64, 1, 64, dtype=torch.float64).eval()
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter.copy_(torch.full_like(parameter, 0.5 if "weight" in name else -0.25))
    derivation = symtrans.from_torch(module, torch.ones(64, 64, dtype=torch.float64)).derive()
    assert derivation["Q_1"].decimals() == [["31.75"] * 64] * 64
    assert derivation["A_1"].decimals(6)[0][0] == "0.015625"
    effort = derivation["Q_1"].effort()
    assert effort is not None
    assert (effort.by_doubles, effort.by_arb) == (0, 4096)


def test_gradients_go_the_same_way() -> None:
    """Every gradient of half the sum of squares, by reverse steps on doubles, beside PyTorch's autograd."""
    module, x, target = layer(), rows(4), rows(4, 1)
    derivation = symtrans.from_torch(module, x, target=target).derive(wrt=["all"])
    ((module(x) - target) ** 2).sum().mul(0.5).backward()
    for step_id, parameter in (("W_1", module.linear1.weight), ("W_O", module.self_attn.out_proj.weight)):
        texts = derivation.gradient(step_id).decimals(8)
        found = np.array([[float(cell) for cell in row] for row in texts])
        assert np.allclose(found.T, parameter.grad, rtol=1e-6, atol=1e-9)
    effort = derivation.gradient("W_Q1").effort(4)
    assert effort is not None
    assert effort.by_arb < 0.1 * effort.entries
    assert effort.entries == 64 * 16


@pytest.mark.parametrize("digits", [0, 1001, -1])
def test_digits_that_cannot_be_printed_are_refused(digits: int) -> None:
    derivation, _ = derived(1)
    with pytest.raises(LimitError, match="between 1 and 1000 can be printed"):
        derivation[LAST].decimals(digits)


def test_zeros_that_nobody_can_prove_take_no_time() -> None:
    """The norm of rows of equal entries, a third each: 0 to so many decimals, as an enclosed value is printed."""
    module = nn.TransformerEncoderLayer(72, 1, 72, dtype=torch.float64, norm_first=True).eval()
    with torch.no_grad():
        module.norm1.bias.zero_()
    x = torch.full((60, 72), 1 / 3, dtype=torch.float64)
    derivation = symtrans.from_torch(module, x).derive()
    assert isinstance(derivation.tape["x"].literal, Floats)
    assert derivation["N_1"].decimals(5) == [["0.00000"] * 72] * 60
    effort = derivation["N_1"].effort(5)
    assert effort is not None
    assert effort.by_arb == 60 * 72


def test_small_models_and_models_without_arrays_keep_their_way() -> None:
    small = nn.TransformerEncoderLayer(4, 2, 8, dtype=torch.float64).eval()
    derivation = symtrans.from_torch(small, rows(2, width=4)).derive()
    assert derivation.values.gears is None
    assert derivation[LAST].effort() is None
    assert derive("handcalc")["Q_1"].effort() is None


def test_where_doubles_are_not_as_assumed_all_is_arb(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor that flushes small numbers to zero, say: no proof holds there, and none is made."""
    derivation, _ = derived(1)
    expected = derivation[LAST].decimals()
    monkeypatch.setattr(gears, "is_as_assumed", lambda: False)
    monkeypatch.setattr(gears, "decided", None)
    found = Gears(derivation.tape)
    assert found.decimals(LAST, 6) == expected[0]
    effort = found.effort(LAST, 6)
    assert (effort.by_doubles, effort.by_arb, effort.bits, effort.widths) == (0, 64, 64, {})


def test_arrays_in_a_file_go_the_same_way(tmp_path: Any) -> None:
    """A specification whose matrices are in .npz, turned and cut by heads, beside the module that they are of."""
    module, x = layer(), rows(3)
    names = {name: parameter.detach().numpy() for name, parameter in module.named_parameters()}
    np.savez(tmp_path / "w.npz", x=x.numpy(), **{name.replace(".", "_"): value for name, value in names.items()})
    lines = ['name = "mine"', 'architecture = "encoder"', "[dimensions]", "d_model = 64", "heads = 4", "[switches]"]
    lines += ['norm = "layer_norm_of_variance"', 'positions = "none"', "[numbers]", 'epsilon = "0.00001"', "[inputs]"]
    lines += ['x = { file = "w.npz", key = "x" }', "[[encoder]]"]
    for place, letter in enumerate("QKV"):
        cut = f"rows = [{64 * place + 1}, {64 * place + 64}]"
        lines.append(
            f'W_{letter} = {{ file = "w.npz", key = "self_attn_in_proj_weight", {cut}, transpose = true }}\n'
            f'b_{letter} = {{ file = "w.npz", key = "self_attn_in_proj_bias", {cut} }}'
        )
    for key, name in (("W_O", "self_attn_out_proj"), ("W_1", "linear1"), ("W_2", "linear2")):
        lines.append(f'{key} = {{ file = "w.npz", key = "{name}_weight", transpose = true }}')
        lines.append(f'{key.replace("W", "b")} = {{ file = "w.npz", key = "{name}_bias" }}')
    for number in (1, 2):
        lines.append(f'gamma_{number} = {{ file = "w.npz", key = "norm{number}_weight" }}')
        lines.append(f'beta_{number} = {{ file = "w.npz", key = "norm{number}_bias" }}')
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert tomllib.loads(path.read_text(encoding="utf-8")).keys() == parse_toml(path.read_text("utf-8"), "").keys()
    derivation = derive(str(path))
    assert isinstance(derivation.tape["W_1"].literal, Floats)
    assert derivation[LAST].decimals() == symtrans.from_torch(module, x).derive()[LAST].decimals()


def test_what_is_not_rational_in_a_large_model_is_enclosed() -> None:
    """Its exact softmax would have a symbol for nearly every entry, and take minutes where balls take a moment."""
    derivation, _ = derived(2)
    values = derivation.values
    assert not values.is_enclosed("S_1")
    assert values.is_enclosed("A_1")
    assert values.introduced("A_1") == ()
    printed = [certify(entry, 6).plain for entry in values.tensor("A_1").entries]
    assert printed == [text for row in derivation["A_1"].decimals(6) for text in row]


def test_a_step_that_has_no_value_is_named() -> None:
    """A row of zeros in front of a norm without an epsilon."""
    module, x = layer(norm_first=True, layer_norm_eps=0.0), rows(2)
    x[1] = 0
    derivation = symtrans.from_torch(module, x).derive()
    last = [step.id for step in derivation.tape][-1]
    with pytest.raises(UndefinedValue, match=r"^\w+: a division by zero has no value$"):
        derivation[last].decimals(6)
