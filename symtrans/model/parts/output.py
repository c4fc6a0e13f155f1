"""The end of a model: logits, probabilities and the loss."""

from __future__ import annotations

from symtrans.errors import SpecError
from symtrans.exact.written import Written
from symtrans.model.assembly import Assembly
from symtrans.model.block import Settings
from symtrans.model.quantity import Quantity, Section

ONE = Written.parse("1")
LOSSES = ("cross_entropy", "half_sum_of_squares", "mean_squared_error")


def output_quantities(settings: Settings) -> Section:
    """The output projection; without W_out it is the embedding table, transposed."""
    return {
        "W_out": Quantity(("d_model", "vocabulary"), is_optional=True),
        "b_out": Quantity(("vocabulary", "1"), "column", is_optional=True),
    }


def loss_numbers(settings: Settings) -> Section:
    """The share that label smoothing spreads over the vocabulary."""
    return {"smoothing": Quantity(kind="number", is_optional=True)}


def logits(model: Assembly, x: str, table: str) -> str:
    """The output projection of every row, and its softmax; the id of the logits."""
    weights = "W_out"
    if not model.has("W_out"):
        weights = model.step("W_tied", "tied_output", "embedding", "transpose", (table,))
    operands = (x, weights, "b_out") if model.has("b_out") else (x, weights)
    result = model.step("Z_out", "logits", "linear", "linear" if model.has("b_out") else "matmul", operands)
    model.step("P", "probabilities", "weights", "softmax", (result,))
    return result


def take_output(model: Assembly) -> None:
    """The output projection's parameters, where the specification gives them, as inputs."""
    for local in ("W_out", "b_out"):
        if model.has(local):
            model.take(local, parameter=True)


def cross_entropy(model: Assembly, result: str, labels: str) -> None:
    """The mean cross-entropy over the positions that count, with smoothed labels where a share is given."""
    rows = model.tape[result].shape[0]
    if model.has("keep"):
        keep = model.take("keep", constant=True)
        if not any(cell is not None and cell.value for (cell,) in model.given("keep")[0]):
            raise SpecError(f"{model.spec.source}: inputs.keep: keeps no position; the loss is a mean over those kept")
    else:
        keep = model.constant("keep", "keep", ((ONE,),) * rows)
    if model.has("smoothing"):
        share = model.number("smoothing", "smoothing", model.given("smoothing")[0])
        labels = model.step("Y_smooth", "smooth_labels", "linear", "smooth_labels", (labels, share))
    model.step("L", "loss", "loss_of_logits", "cross_entropy", (result, labels, keep))


def squares(model: Assembly, result: str, target: str) -> None:
    """Half the sum, or the mean, of the squared differences from the target."""
    model.step("L", "loss", "loss", model.spec.loss or "half_sum_of_squares", (result, target))
