r"""What is settled before the grammar: how far the argument of `\sin x` reaches, which names are derivatives."""

from __future__ import annotations

from dataclasses import replace

from symtrans.notation.name import Name
from symtrans.notation.scripts import is_condition
from symtrans.notation.tokens import Tok
from symtrans.notation.trouble import Unreadable

MAX_SUMS = 40
MAX_NESTED = 20  # functions and sums within each other without brackets

_SCRIPTS = ("SUB", "SUP", "PRIME", "FACT")
_OPERANDS = ("NUM", "NAME", "FRAC", "SQRT", "BRACE", "INFTY", "DOTS")
_ARGUMENTS = (*_OPERANDS, "GROUP", "MATRIX", "SUM", "FUNC")
_SUM_ENDS = ("PLUS", "MINUS")


def arranged(tokens: list[Tok]) -> list[Tok]:
    r"""One side's tokens, without drawn gaps; the argument of a function without brackets stands in braces.

    `\partial L/\partial X` and `\nabla_X L` become the fraction that means the same.
    """
    kinds = {token.kind for token in tokens}
    if "SUM" in kinds and sum(token.kind == "SUM" for token in tokens) > MAX_SUMS:
        raise Unreadable(tokens[0].start, tokens[-1].end, f"more than {MAX_SUMS} sums in one expression")
    if "GAP" in kinds:
        tokens = [token for token in tokens if token.kind != "GAP"]
    if "PARTIAL" in kinds or "NABLA" in kinds:
        tokens = _derivatives(tokens)
    tokens = _named(tokens)
    return _arguments(tokens) if "FUNC" in kinds else tokens


def _arguments(tokens: list[Tok]) -> list[Tok]:
    """The tokens with every bare argument in a BRACE, the innermost first."""
    done: list[Tok] = []  # backwards
    nested = 0
    for token in reversed(tokens):
        if token.kind == "FUNC":
            scripts: list[Tok] = []
            while done and done[-1].kind in _SCRIPTS:
                scripts.append(done.pop())
            if done and done[-1].kind in _ARGUMENTS:
                nested += done[-1].kind in ("FUNC", "SUM")
                if nested > MAX_NESTED:
                    raise Unreadable(token.start, token.end, "too many functions of functions")
                if done[-1].kind not in ("GROUP", "MATRIX"):
                    _embrace(done)
            elif token.value is not None:
                token = Tok("NAME", token.text, token.start, token.end, value=token.value)
            done.extend(reversed(scripts))
        done.append(token)
    done.reverse()
    return done


def _embrace(done: list[Tok]) -> None:
    """Put the operand that comes next (last in `done`) in a BRACE.

    A number takes what follows it along (`2\\pi x`), a Greek letter no Latin one (`\\cos\\theta x`), a sum
    everything to the end of its product, and another function its own argument.
    """
    operand: list[Tok] = []
    if done[-1].kind in ("SUM", "FUNC"):
        ends = _SUM_ENDS if done[-1].kind == "SUM" else ()
        single = done[-1].kind == "FUNC"
        while done and done[-1].kind not in ends:
            operand.append(done.pop())
            if single and operand[-1].kind in ("BRACE", "GROUP", "MATRIX"):
                break
    else:
        while done and done[-1].kind in _OPERANDS and not _stops(operand, done[-1]):
            operand.append(done.pop())
            while done and done[-1].kind in _SCRIPTS:
                operand.append(done.pop())
    if len(operand) == 1 and operand[0].kind == "BRACE":
        done.append(operand[0])
    elif operand:
        done.append(Tok("BRACE", "", operand[0].start, operand[-1].end, [operand]))


def _stops(operand: list[Tok], following: Tok) -> bool:
    if not operand:
        return False
    if following.kind == "NUM" or operand[0].kind == "BRACE":
        return True
    if operand[0].kind == "NUM":
        return False
    last = next(token for token in reversed(operand) if token.kind not in _SCRIPTS)
    return _is_greek(last) and not _is_greek(following)


def _is_greek(token: Tok) -> bool:
    return token.kind == "NAME" and token.value.is_command and token.value != Name("pi", is_command=True)


def _derivatives(tokens: list[Tok]) -> list[Tok]:
    done: list[Tok] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        behind = _operand(tokens, place + 1)
        if token.kind == "PARTIAL" and behind + 1 < len(tokens):
            slash, below = tokens[behind], tokens[behind + 1]
            if slash.kind == "OP" and slash.text == "slash" and below.kind == "PARTIAL":
                end = _operand(tokens, behind + 2)
                if end > behind + 2 and behind > place + 1:
                    parts = [tokens[place:behind], tokens[behind + 1 : end]]
                    done.append(Tok("FRAC", "", token.start, tokens[end - 1].end, parts))
                    place = end
                    continue
        if token.kind == "NABLA" and place + 1 < len(tokens) and tokens[place + 1].kind == "SUB":
            end = _operand(tokens, place + 2)
            if end > place + 2:
                mark = Tok("PARTIAL", "", token.start, token.end)
                parts = [[mark, *tokens[place + 2 : end]], [mark, *tokens[place + 1].parts[0]]]
                done.append(Tok("FRAC", "", token.start, tokens[end - 1].end, parts))
                place = end
                continue
        done.append(token)
        place += 1
    return done


def _named(tokens: list[Tok]) -> list[Tok]:
    r"""The tokens with `\nabla w` and `\Delta w` as names, and `P(A|B)` as a name with a label."""
    done: list[Tok] = []
    for token in tokens:
        before = done[-1] if done else None
        if token.kind == "NAME" and before is not None and _is_change(before) and not token.value.accent:
            name = replace(token.value, accent="nabla" if before.kind == "NABLA" else "Delta")
            done[-1] = Tok("NAME", token.text, before.start, token.end, value=name)
        elif token.kind == "GROUP" and token.text == "(" and _behind_name(done) and is_condition(token):
            done.append(Tok("SUP", "", token.start, token.end, [[token]]))
        else:
            done.append(token)
    return done


def _is_change(token: Tok) -> bool:
    return token.kind == "NABLA" or (token.kind == "NAME" and token.value == Name("Delta", is_command=True))


def _behind_name(tokens: list[Tok]) -> bool:
    """Whether the last token is a name, or the script of one."""
    for token in reversed(tokens):
        if token.kind not in ("SUB", "SUP", "PRIME"):
            return token.kind == "NAME"
    return False


def _operand(tokens: list[Tok], place: int) -> int:
    """Where the name with its scripts that begins at `place` ends."""
    if place < len(tokens) and tokens[place].kind in ("NAME", "BRACE"):
        place += 1
        while place < len(tokens) and tokens[place].kind in _SCRIPTS:
            place += 1
    return place
