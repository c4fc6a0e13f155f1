"""From tokens to rows: lookup, scale, and what tells the positions apart."""

from __future__ import annotations

from symtrans.errors import SpecError
from symtrans.exact.written import Written
from symtrans.model.assembly import Assembly
from symtrans.model.block import Settings
from symtrans.model.quantity import Quantity, Section

POSITIONS = ("sinusoidal", "learned", "none", "rotary", "alibi", "relative")
SCALES = ("none", "sqrt")


def embedding_quantities(settings: Settings, table: str = "E") -> Section:
    """The embedding table, and the one of learned positions."""
    found = {table: Quantity(("vocabulary", "d_model"), is_optional=True)}
    if settings["positions"] == "learned":
        found["W_pos"] = Quantity(("longest", "d_model"))
    return found


def embedded(model: Assembly, tokens: str, table: str, letter: str) -> str:
    """One-hot rows looked up in the table, scaled, with positions added; `letter` is X or Y."""
    x = model.step(f"{letter}_emb", f"{letter}_emb", "embedding", "embed", (tokens, table))
    if model.spec.settings["embedding_scale"] == "sqrt":
        x = model.step(f"{letter}_scaled", f"{letter}_scaled", "linear", "scale_by_width", (x,))
    return with_positions(model, x, letter)


def with_positions(model: Assembly, x: str, letter: str) -> str:
    """Rows with their positional encoding or their learned positions added; other kinds act on the scores."""
    match model.spec.settings["positions"]:
        case "sinusoidal":
            return model.step(f"{letter}_pos", f"{letter}_pos", "sum", "add", (x, _encoding(model, x, letter)))
        case "learned":
            rows, longest = model.tape[x].shape[0], model.tape["W_pos"].shape[0]
            if longest < rows:
                raise SpecError(
                    f"{model.spec.source}: parameters.W_pos: has {longest} rows; at least {rows} are expected, one for "
                    "each position"
                )
            return model.step(f"{letter}_pos", f"{letter}_pos", "sum", "add_positions", (x, "W_pos"))
    return x


def _encoding(model: Assembly, x: str, letter: str) -> str:
    """The positional encoding of as many positions as `x` has; source and target share one of the same length."""
    rows, width = model.tape[x].shape
    for known in ("PE", "PE_Y"):
        if known in model.tape and model.tape[known].shape[0] == rows:
            return known
    if width % 2:
        raise SpecError(
            f"{model.spec.source}: dimensions.d_model: is {width}; with positions = sinusoidal it is even, a sine and "
            "a cosine for each frequency"
        )
    local = "PE_Y" if "PE" in model.tape else "PE"
    count = tuple((Written.parse(str(place)),) for place in range(rows))
    places = model.constant(local.replace("PE", "p"), local.replace("PE", "positions"), count)
    role = local.replace("PE", "positional_encoding")
    return model.step(local, role, "positional_encoding", "positional_encoding", (places,), settings={"d": width})
