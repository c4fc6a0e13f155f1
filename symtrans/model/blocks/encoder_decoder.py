"""The encoder-decoder Transformer: a source sequence is encoded, a target sequence is told from it, one token ahead."""

from __future__ import annotations

from symtrans.errors import SpecError
from symtrans.model.assembly import Assembly
from symtrans.model.block import Block, Settings
from symtrans.model.parts.attention import DIMENSIONS, SHARES, attention_quantities
from symtrans.model.parts.embedding import embedded, embedding_quantities, with_positions
from symtrans.model.parts.layers import decoder_layer, encoder_layer, layer_quantities, take_layer
from symtrans.model.parts.masks import causal, combined, padding
from symtrans.model.parts.normalisation import norm_numbers, norm_quantities, take_epsilon
from symtrans.model.parts.output import LOSSES, cross_entropy, loss_numbers, output_quantities, take_output
from symtrans.model.parts.sequence import SWITCHES, end, final_norm, labelled, one_of, take_final_norm
from symtrans.model.quantity import Quantity, Section
from symtrans.model.spec import Literal, Spec
from symtrans.model.tape import Tape


def declares(settings: Settings) -> dict[str, Section]:
    """Source and target as tokens or rows, what the output is compared with, and a table for each layer."""
    return {
        "parameters": embedding_quantities(settings)
        | {"E_Y": Quantity(("vocabulary", "d_model"), is_optional=True)}
        | norm_quantities(settings, "enc", is_optional=True)
        | norm_quantities(settings, "dec", is_optional=True)
        | output_quantities(settings),
        "inputs": {
            "source": Quantity(("source", "vocabulary"), "tokens", is_optional=True),
            "x": Quantity(("source", "d_model"), is_optional=True),
            "memory": Quantity(("source", "d_model"), is_optional=True),
            "target": Quantity(("target", "vocabulary"), "tokens", is_optional=True),
            "start": Quantity(("1", "vocabulary"), "tokens", is_optional=True),
            "t": Quantity(("target", "d_model"), is_optional=True),
            "padding": Quantity(("source", "1"), "flags", is_optional=True),
            "target_padding": Quantity(("target", "1"), "flags", is_optional=True),
            "memory_padding": Quantity(("source", "1"), "flags", is_optional=True),
            "mask": Quantity(("target", "target"), "mask", is_optional=True),
            "source_mask": Quantity(("source", "source"), "mask", is_optional=True),
            "memory_mask": Quantity(("target", "source"), "mask", is_optional=True),
            "y": Quantity(("target", "d_model"), is_optional=True),
            "labels": Quantity(("target", "vocabulary"), "tokens", is_optional=True),
            "keep": Quantity(("target", "1"), "flags", is_optional=True),
        },
        "numbers": norm_numbers(settings) | loss_numbers(settings),
        "encoder": layer_quantities(settings, norms=2, diagonals="source_diagonals"),
        "decoder": layer_quantities(settings, norms=3, diagonals="target_diagonals"),
        "decoder.cross": attention_quantities(settings),
    }


def build(spec: Spec) -> Tape:
    """Inputs and parameters, then the encoder, the decoder on the shifted target, logits and loss."""
    model = Assembly(spec, Tape())
    source, target = _take_inputs(model)
    for scope in spec.scopes["encoder"]:
        take_layer(model.within(scope), norms=2)
    take_final_norm(model, "enc")
    for scope in spec.scopes["decoder"]:
        take_layer(model.within(scope), norms=3, crosses=True)
    take_final_norm(model, "dec")
    take_output(model)
    take_epsilon(model)
    memory = _encoded(model, source)
    x = _decoded(model, target, memory)
    if model.has("target"):
        cross_entropy(model, labelled(model, x, _table(model)), "target")
    else:
        end(model, x)
    return model.tape


def _take_inputs(model: Assembly) -> tuple[str, str]:
    """Source and target as tokens with their tables, or as rows; their ids."""
    if model.has("memory"):
        if model.spec.scopes["encoder"] or model.has("source") or model.has("x"):
            raise SpecError(f"{model.spec.source}: inputs.memory: stands for an encoder's output, and there is one too")
        source = model.take("memory")
    else:
        one_of(model, "source", "x")
        given = "source" if model.has("source") else "x"
        source = model.take(given, role="X", constant=given == "source")
    one_of(model, "target", "t")
    given = "target" if model.has("target") else "t"
    target = model.take(given, role="Y", constant=given == "target")
    if given == "target":
        if not model.has("start"):
            raise SpecError(
                f"{model.spec.source}: inputs.start: is missing; the target as the decoder sees it begins with a "
                "start token, such as start = [0]"
            )
        model.take("start", constant=True)
    if "source" in model.tape or (given == "target" and not model.has("E_Y")):
        model.take("E", parameter=True)
    if given == "target" and model.has("E_Y"):
        model.take("E_Y", parameter=True)
    if model.spec.settings["positions"] == "learned":
        model.take("W_pos", parameter=True)
    return source, target


def _table(model: Assembly) -> str:
    """The embedding table of the target."""
    return "E_Y" if model.has("E_Y") else "E"


def _mask(model: Assembly, rows: int, mask: str, flags: str, own: list[Literal] | None = None) -> Literal | None:
    """A mask and a padding as the specification gives them, in one; `own` stands for a mask that it does not give."""
    masks = [model.given(mask)[0]] if model.has(mask) else own or []
    if model.has(flags):
        masks = [*masks, padding(rows, model.given(flags)[0])]
    return combined(model.spec, f"inputs.{mask if model.has(mask) else flags}", masks)


def _encoded(model: Assembly, source: str) -> str:
    """The encoder's output, or the memory that is given in its place."""
    if source == "memory":
        return source
    x = embedded(model, source, "E", "X") if source == "source" else with_positions(model, source, "X")
    rows = model.tape[x].shape[0]
    mask = _mask(model, rows, "source_mask", "padding")
    for scope in model.spec.scopes["encoder"]:
        x = encoder_layer(model.within(scope), x, mask, last="encoder_output")
    return final_norm(model, x, "enc")


def _decoded(model: Assembly, target: str, memory: str) -> str:
    """The decoder's output on the target, which as tokens stands one place to the right behind the start token."""
    if target == "target":
        shifted = model.step("Y_in", "Y_in", "plain", "shift_right", ("start", target))
        x = embedded(model, shifted, _table(model), "Y")
    else:
        x = with_positions(model, target, "Y")
    rows = model.tape[x].shape[0]
    mask = _mask(model, rows, "mask", "target_padding", [causal(rows)])
    cross = _mask(model, rows, "memory_mask", "memory_padding" if model.has("memory_padding") else "padding")
    for scope in model.spec.scopes["decoder"]:
        x = decoder_layer(model.within(scope), x, memory, mask, cross)
    return final_norm(model, x, "dec")


BLOCK = Block(
    name="encoder_decoder",
    dimensions=DIMENSIONS,
    shares=SHARES,
    switches=SWITCHES,
    declares=declares,
    build=build,
    stacks={"encoder": "enc", "decoder": "dec"},
    losses=LOSSES,
    begins=("E", "source", "target", "start"),
)
