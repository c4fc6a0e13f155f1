"""A module of PyTorch with its inputs as a specification: the table that a file would hold, read as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtrans.errors import UsageError
from symtrans.model.build import build
from symtrans.model.spec import Spec
from symtrans.model.spec_reader import read_table
from symtrans.model.torch_layers import output_table
from symtrans.model.torch_module import Table, TorchModule, torch_modules
from symtrans.model.torch_tensors import entries, mask, padding, sequence

HOME = "torch.nn.modules."
LEAVES = {"MultiheadAttention", "NonDynamicallyQuantizableLinear", "Linear", "LayerNorm", "Dropout", "ModuleList"}


def torch_spec(
    module: Any,
    inputs: Any,
    *,
    target: Any,
    output: Any,
    labels: Any,
    loss: str,
    name: str | None,
    masks: Mapping[str, Any],
) -> Spec:
    """The specification of a module's forward on inputs; UsageError or SpecError for what cannot be one."""
    kind = _kind(module)
    label = f"nn.{kind.name}"
    _refuse_unfit(module, label)
    try:
        table: Table = {"name": kind.name if name is None else name, **kind.table(module)}
        given = _given(kind, inputs)
        is_batch_first = kind.is_batch_first(module)
        rows = {key: sequence(value, key, is_batch_first) for key, value in given.items()}
        table["inputs"] = {kind.inputs[key]: value for key, value in rows.items()} | _hidden(kind, masks, rows)
        if target is not None:
            table["inputs"]["y"] = sequence(target, "target", is_batch_first)
            table["loss"] = {"kind": loss}
        if output is not None:
            table["parameters"] = table.get("parameters", {}) | output_table(output)
        if labels is not None:
            table["inputs"]["labels"] = entries(labels, "labels")
    except UsageError as fault:
        raise UsageError(f"{label}: {fault}") from None
    spec = read_table(table, label)
    build(spec)  # what only a tape can tell: a mask that hides everything, rows that do not fit
    return spec


def _kind(module: Any) -> TorchModule:
    """What class of modules this is; one that inherits from it may compute anything and is not of it."""
    kinds, own = torch_modules(), type(module)
    if own.__name__ not in kinds or not own.__module__.startswith(HOME):
        raise UsageError(
            f"a module of the class {own.__name__} is not read as a specification; nn.{', nn.'.join(kinds)} are"
        )
    return kinds[own.__name__]


def _refuse_unfit(module: Any, label: str) -> None:
    """UsageError where a part of the module is replaced, hooked into, or drops entries at random."""
    known = LEAVES | set(torch_modules())
    for path, part in module.named_modules():
        own = type(part)
        where = f"{label}.{path}" if path else label
        if path.rpartition(".")[2] != "activation" and not (own.__name__ in known and own.__module__.startswith(HOME)):
            raise UsageError(f"{where} is a module {own.__name__}; PyTorch's own layers, with nn.LayerNorm, are read")
        if part._forward_hooks or part._forward_pre_hooks:
            raise UsageError(f"{where} has hooks, which may change what it computes; it is read without them")
        share = part.dropout if own.__name__ == "MultiheadAttention" else getattr(part, "p", 0)
        if part.training and share:
            raise UsageError(f"{where} drops entries at random in training; call eval() on the module first")


def _given(kind: TorchModule, inputs: Any) -> dict[str, Any]:
    """The inputs by their names; one that is the same object as the one before it is left out where it may be."""
    several = isinstance(inputs, tuple) or (isinstance(inputs, list) and any(hasattr(one, "detach") for one in inputs))
    values: Sequence[Any] = inputs if several else (inputs,)
    names = list(kind.inputs)
    if not kind.needed <= len(values) <= len(names):
        raise UsageError(f"{len(values)} inputs are given; {_told(names, kind.needed)} are expected, as a tuple")
    found = dict(zip(names, values, strict=False))
    return {
        key: value
        for place, (key, value) in enumerate(found.items())
        if place < kind.needed or value is not values[place - 1]
    }


def _told(names: Sequence[str], needed: int) -> str:
    return ", ".join(name if place < needed else f"[{name}]" for place, name in enumerate(names))


def _hidden(kind: TorchModule, masks: Mapping[str, Any], rows: Mapping[str, Sequence[Any]]) -> Table:
    """The masks and paddings by their keys; what hides nothing in PyTorch is told as a mask that hides nothing."""
    known = (*kind.masks, *kind.paddings)
    found: Table = {}
    for name, value in masks.items():
        if name not in known:
            raise UsageError(f"{name} is not a keyword of its masks; {', '.join(known)} are")
        if value is not None and name in kind.masks:
            found[kind.masks[name]] = mask(value, name)
        elif value is not None:
            found[kind.paddings[name]] = padding(value, name)
    for name, source in kind.defaults.items():
        count = len(rows[source])
        if name in kind.masks:
            found.setdefault(kind.masks[name], [["0"] * count for _ in range(count)])
        else:
            found.setdefault(kind.paddings[name], [1] * count)
    return found
