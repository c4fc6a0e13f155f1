"""Residual connections and the four norms: the article's layer norm, two others, and the root mean square."""

from __future__ import annotations

from symtrans.errors import SpecError
from symtrans.model.assembly import Assembly
from symtrans.model.block import Settings
from symtrans.model.quantity import Quantity, Section

NORMS = ("layer_norm", "layer_norm_of_variance", "layer_norm_of_sample", "rms_norm", "none")
PLACEMENTS = ("post", "pre")


def norm_quantities(settings: Settings, suffix: str, *, is_optional: bool = False) -> Section:
    """The learned scale and shift of one norm, `gamma_1` and `beta_1`; the root mean square has no shift."""
    if settings["norm"] == "none":
        return {}
    row = Quantity(("1", "d_model"), "row", is_optional=is_optional)
    return {f"gamma_{suffix}": row} | ({} if settings["norm"] == "rms_norm" else {f"beta_{suffix}": row})


def norm_numbers(settings: Settings) -> Section:
    """Epsilon, where there is a norm."""
    return {} if settings["norm"] == "none" else {"epsilon": Quantity(kind="number")}


def take_epsilon(model: Assembly) -> None:
    """Epsilon as an input, where there is a norm."""
    if model.spec.settings["norm"] != "none":
        model.number("epsilon", "epsilon", model.given("epsilon")[0])


def take_norm(model: Assembly, suffix: str) -> None:
    """The scale and the shift as inputs."""
    for letter in ("gamma", "beta"):
        if letter == "gamma" or model.spec.settings["norm"] != "rms_norm":
            model.take(f"{letter}_{suffix}", role=letter, index=suffix, parameter=True)


def norm(model: Assembly, suffix: str, x: str, local: str, role: str) -> str:
    """The norm of the rows of `x` with the scale and the shift of `suffix`; the id of the result."""
    kind = model.spec.settings["norm"]
    if kind == "none":
        return x
    gamma, beta = model.own(f"gamma_{suffix}"), model.own(f"beta_{suffix}")

    def statistic(letter: str, role: str, op: str, operands: tuple[str, ...]) -> str:
        return model.step(f"{letter}_{suffix}", role, "statistic", op, operands, index=suffix)

    def normed(op: str, statistics: tuple[str, ...], learned: tuple[str, ...]) -> str:
        index = suffix if role == "normed" else None
        return model.step(local, role, "norm", op, (x, *statistics, *learned, "epsilon"), index=index)

    if kind == "rms_norm":
        return normed("rms_norm", (statistic("q", "mean_square", "row_mean_square", (x,)),), (gamma,))
    mean = statistic("mu", "mean", "row_mean", (x,))
    if kind == "layer_norm_of_variance":
        variance = statistic("v", "variance", "row_variance", (x, mean))
        return normed("layer_norm_of_variance", (mean, variance), (gamma, beta))
    width = model.tape[x].shape[1]
    if kind == "layer_norm_of_sample" and width < 2:
        raise SpecError(
            f"{model.spec.source}: dimensions.d_model: is {width}; with norm = layer_norm_of_sample it is at least 2, "
            "for the squares are divided by one less"
        )
    op = "row_deviation" if kind == "layer_norm" else "row_deviation_of_sample"
    return normed("layer_norm", (mean, statistic("sigma", "deviation", op, (x, mean))), (gamma, beta))
