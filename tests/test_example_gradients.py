"""Each Transformer example, forward and backward, against PyTorch in float64 with the same weights.

The models are written here once more, for PyTorch, from their definitions; nothing of symtrans's tape is used.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from symtrans.derive.derivation import derive
from symtrans.model.load import load_spec
from symtrans.model.spec import Spec, with_settings
from symtrans.model.spec_reader import read_spec
from symtrans.registry import files

torch = pytest.importorskip("torch")
TOLERANCE = 1e-10  # absolute: what float64 itself may be off by


class Reference:
    """A specification's parameters as leaves, and its model on them; `seen` counts what was read."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.leaves: dict[str, Any] = {}
        for key, literals in spec.matrices.items():
            copies = self._copies(key)
            own = len(literals) > 1
            for number in range(1, (copies or 1) + 1):
                rows = literals[number - 1 if own else 0]
                cells = [[-math.inf if c is None else float(Fraction(c.value)) for c in row] for row in rows]
                self.leaves[f"{key}{number}" if copies else key] = torch.tensor(
                    cells, dtype=torch.float64, requires_grad=True
                )

    def _copies(self, key: str) -> int:
        """How many heads have a matrix of their own, a copy if need be; 0 where there is only one."""
        local = key.rpartition(".")[2]
        heads, groups = self.spec.dimensions["heads"], self.spec.dimensions["kv_heads"]
        if local == "b_rel":
            return heads
        owners = {"Q": heads, "K": groups, "V": groups}.get(local.removeprefix("W_").removeprefix("b_"), 0)
        return owners if owners > 1 else 0

    def __getitem__(self, key: str) -> Any:
        return self.leaves[key]

    def get(self, key: str) -> Any:
        return self.leaves.get(key)

    def affine(self, x: Any, weights: str, bias: str) -> Any:
        y = x @ self[weights]
        return y if self.get(bias) is None else y + self[bias].T

    def norm(self, x: Any, scope: str, suffix: str) -> Any:
        kind = self.spec.settings["norm"]
        if kind == "none":
            return x
        eps = self["epsilon"].detach()
        gamma = self[f"{scope}gamma_{suffix}"]
        if kind == "rms_norm":
            return x / torch.sqrt((x * x).mean(1, keepdim=True) + eps) * gamma
        beta = self[f"{scope}beta_{suffix}"]
        centred = x - x.mean(1, keepdim=True)
        if kind == "layer_norm_of_variance":
            return torch.nn.functional.layer_norm(x, (x.shape[1],), gamma[0], beta[0], eps.item())
        squares = (centred**2).sum(1, keepdim=True) / (x.shape[1] - (kind == "layer_norm_of_sample"))
        return centred / (squares.sqrt() + eps) * gamma + beta

    def attention(self, x: Any, memory: Any, scope: str, mask: Any) -> Any:
        dimensions, settings = self.spec.dimensions, self.spec.settings
        heads, groups = dimensions["heads"], dimensions["kv_heads"]
        outputs = []
        for head in range(1, heads + 1):
            group = (head - 1) * groups // heads + 1
            own = head if heads > 1 else ""
            q = self.affine(x, f"{scope}W_Q{own}", f"{scope}b_Q{own}")
            shared = group if groups > 1 else ""
            k = self.affine(memory, f"{scope}W_K{shared}", f"{scope}b_K{shared}")
            v = self.affine(memory, f"{scope}W_V{shared}", f"{scope}b_V{shared}")
            if settings["positions"] == "rotary" and not scope.endswith("cross."):
                q, k = turned(q), turned(k)
            scores = q @ k.T / (math.sqrt(dimensions["d_k"]) if settings["scale"] == "sqrt" else 1)
            rows, columns = scores.shape
            if settings["positions"] == "relative" and not scope.endswith("cross."):
                bias = self[f"{scope}b_rel{head}"]
                scores = scores + torch.stack(
                    [torch.stack([bias[0, j - i + rows - 1] for j in range(columns)]) for i in range(rows)]
                )
            if settings["positions"] == "alibi" and not scope.endswith("cross."):
                distance = torch.tensor([[-abs(i - j) for j in range(columns)] for i in range(rows)])
                scores = scores + 2.0 ** (-8 * head / heads) * distance
            if mask is not None:
                scores = scores + mask
            outputs.append(torch.softmax(scores, 1) @ v)
        return self.affine(torch.cat(outputs, 1), f"{scope}W_O", f"{scope}b_O")

    def network(self, x: Any, scope: str) -> Any:
        f = torch.nn.functional
        name = self.spec.settings["activation"]
        plain = {
            "relu": f.relu,
            "gelu": f.gelu,
            "gelu_tanh": lambda y: f.gelu(y, approximate="tanh"),
            "silu": f.silu,
            "swiglu": f.silu,
            "geglu": f.gelu,
            "reglu": f.relu,
        }[name]
        if name.endswith("glu") and name not in ("gelu", "silu", "relu"):
            return (plain(x @ self[f"{scope}W_gate"]) * (x @ self[f"{scope}W_up"])) @ self[f"{scope}W_down"]
        hidden = plain(self.affine(x, f"{scope}W_1", f"{scope}b_1"))
        return self.affine(hidden, f"{scope}W_2", f"{scope}b_2")

    def sub_layer(self, x: Any, scope: str, number: str, apply: Any) -> Any:
        if self.spec.settings["norm"] == "none":
            return x + apply(x)
        if self.spec.settings["placement"] == "pre":
            return x + apply(self.norm(x, scope, number))
        return self.norm(x + apply(x), scope, number)

    def layer(self, x: Any, scope: str, mask: Any, memory: Any = None, cross_mask: Any = None) -> Any:
        x = self.sub_layer(x, scope, "1", lambda y: self.attention(y, y, scope, mask))
        if memory is None:
            return self.sub_layer(x, scope, "2", lambda y: self.network(y, scope))
        x = self.sub_layer(x, scope, "2", lambda y: self.attention(y, memory, f"{scope}cross.", cross_mask))
        return self.sub_layer(x, scope, "3", lambda y: self.network(y, scope))

    def placed(self, x: Any) -> Any:
        kind, rows, width = self.spec.settings["positions"], *x.shape
        if kind == "learned":
            return x + self["W_pos"][:rows]
        if kind == "sinusoidal":
            return x + torch.tensor(
                [
                    [(math.cos if j % 2 else math.sin)(i / 10000 ** (2 * (j // 2) / width)) for j in range(width)]
                    for i in range(rows)
                ],
                dtype=torch.float64,
            )
        return x

    def embedded(self, one_hot: Any, table: str) -> Any:
        x = one_hot.detach() @ self[table]
        return self.placed(x * math.sqrt(x.shape[1]) if self.spec.settings["embedding_scale"] == "sqrt" else x)

    def masked(self, rows: int, columns: int, is_causal: bool, padding: str) -> Any:
        mask = torch.zeros(rows, columns, dtype=torch.float64)
        if is_causal:
            mask = mask + torch.triu(torch.full((rows, columns), -math.inf, dtype=torch.float64), 1)
        if self.get(padding) is not None:
            hidden = (self[padding].detach() == 0).T.expand(rows, columns)
            mask = mask.masked_fill(hidden, -math.inf)
        return mask

    def loss(self) -> Any:
        spec = self.spec
        self.table = "E" if self.get("E_Y") is None else "E_Y"
        if spec.architecture == "encoder_decoder":
            source = self.embedded(self["source"], "E")
            count = source.shape[0]
            for scope in spec.scopes["encoder"]:
                source = self.layer(source, f"{scope}.", self.masked(count, count, False, "padding"))
            one_hot = torch.cat([self["start"], self["target"]])[:-1]
            x = self.embedded(one_hot, self.table)
            rows = x.shape[0]
            for scope in spec.scopes["decoder"]:
                own = self.masked(rows, rows, True, "target_padding")
                x = self.layer(x, f"{scope}.", own, source, self.masked(rows, count, False, "padding"))
            labels = self["target"]
        else:
            x = self.embedded(self["tokens"], "E") if self.get("tokens") is not None else self.placed(self["x"])
            rows = x.shape[0]
            stack = spec.architecture
            for scope in spec.scopes[stack]:
                mask = self.masked(rows, rows, stack == "decoder", "padding")
                x = self.layer(x, f"{scope}." if scope else "", mask)
            if self.get("gamma_final") is not None:
                x = self.norm(x, "", "final")
            if self.get("y") is not None:
                squares = (x - self["y"].detach()) ** 2
                return squares.mean() if spec.loss == "mean_squared_error" else squares.sum() / 2
            labels = self["labels"]
        logits = x @ (self["W_out"] if self.get("W_out") is not None else self[self.table].T)
        if self.get("b_out") is not None:
            logits = logits + self["b_out"].T
        wanted = labels.argmax(1)
        if self.get("keep") is not None:
            wanted = wanted.masked_fill(self["keep"][:, 0] == 0, -100)
        smoothing = 0.0 if self.get("smoothing") is None else self["smoothing"].item()
        return torch.nn.functional.cross_entropy(logits, wanted, ignore_index=-100, label_smoothing=smoothing)


def turned(x: Any) -> Any:
    """Rotary positions: each pair of columns as a complex number, times e to the i times its angle."""
    rows, width = x.shape
    angles = torch.tensor(
        [[p / 10000 ** (2 * i / width) for i in range(width // 2)] for p in range(rows)], dtype=torch.float64
    )
    pairs = torch.view_as_complex(x.reshape(rows, -1, 2).contiguous()) * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs).reshape(rows, width)


def compare(spec: Spec) -> int:
    """Compares the loss and every gradient; how many entries of gradients."""
    reference = Reference(spec)
    loss = reference.loss()
    loss.backward()
    derivation = derive(spec, wrt=["all"])
    assert abs(float(derivation["L"].decimals(17)[0][0]) - loss.item()) < TOLERANCE
    derived = {step.step.of: step for step in derivation if step.id == f"dL/d{step.step.of}"}
    wanted = {key: leaf.grad for key, leaf in reference.leaves.items() if leaf.grad is not None}
    compared = 0
    for key, gradient in wanted.items():
        entries = [[float(cell) for cell in row] for row in derived[key].decimals(17)]
        assert torch.allclose(torch.tensor(entries, dtype=torch.float64), gradient, rtol=0, atol=TOLERANCE), key
        compared += gradient.numel()
    return compared


# Counted by hand: tables and output, then per layer attention, norms and feed-forward network.
PARAMETERS = {
    "encoder": 20 + (64 + 16 + 40),
    "encoder-decoder": 24 + 24 + 6 + (64 + 16 + 40) + (2 * 64 + 24 + 40),
    "gpt": 20 + 16 + 8 + (64 + 16 + 16 + 40),
    "llama": 20 + 20 + 4 + (48 + 8 + 48),
    "bert": 20 + 12 + 5 + 2 * (64 + 16 + 16 + 40),
}


@pytest.mark.parametrize("example", PARAMETERS)
def test_every_gradient_of_the_example(example: str) -> None:
    assert compare(load_spec(example)) == PARAMETERS[example]


@pytest.mark.parametrize(
    ("example", "settings"),
    [
        ("encoder", {"norm": "layer_norm_of_sample"}),
        ("encoder", {"norm": "layer_norm_of_variance", "placement": "pre", "activation": "silu"}),
        ("encoder", {"norm": "rms_norm", "positions": "none", "scale": "none"}),
        ("encoder", {"norm": "none", "positions": "alibi", "activation": "gelu"}),
        ("encoder-decoder", {"placement": "pre", "embedding_scale": "sqrt"}),
        ("encoder-decoder", {"positions": "rotary", "activation": "gelu_tanh"}),
        ("gpt", {"norm": "rms_norm", "positions": "alibi", "activation": "relu"}),
        ("llama", {"activation": "geglu", "positions": "sinusoidal"}),
        ("llama", {"activation": "reglu", "placement": "post"}),
    ],
)
def test_every_gradient_with_other_switches(example: str, settings: dict[str, str]) -> None:
    assert compare(with_settings(load_spec(example), settings)) > 100


@pytest.mark.parametrize(
    ("positions", "scope_numbers"),
    [
        ("rotary", {}),
        ("relative", {"encoder": ["1", "0.5", "-0.2"], "decoder": ["0", "0.3", "1", "-1", "0.5"]}),
        ("sinusoidal", {}),
        ("alibi", {}),
    ],
)
def test_source_and_target_of_different_lengths(positions: str, scope_numbers: dict[str, list[str]]) -> None:
    """Two tokens in, three out: each sequence has positions of its own, padding hides one target position."""
    text = files("symtrans.model.examples", ".toml")["encoder-decoder"]
    text = text.replace("source = [3, 5, 1]", "source = [3, 5]\ntarget_padding = [1, 0, 1]")
    text = text.replace('positions = "sinusoidal"', f'positions = "{positions}"')
    for stack, numbers in scope_numbers.items():
        text = text.replace(f"[[{stack}]]", f"[[{stack}]]\nb_rel = [{', '.join(repr(n) for n in numbers)}]")
    assert compare(read_spec(text, "my.toml")) > 300


@pytest.mark.parametrize("positions", ["rotary", "none"])
def test_a_source_of_one_token(positions: str) -> None:
    """Every query of the decoder looks at the one source token, with the weight 1."""
    text = files("symtrans.model.examples", ".toml")["encoder-decoder"]
    text = text.replace("source = [3, 5, 1]", "source = [3]").replace('"sinusoidal"', f'"{positions}"')
    assert compare(read_spec(text, "my.toml")) > 300
