"""What LaTeX's commands and Unicode's signs mean to the reader: one table for each kind."""

from __future__ import annotations

from typing import Literal

from symtrans.notation.name import Font

# A command or sign that stands for a relation.
RELATIONS = {
    "=": "=",
    r"\approx": "≈",
    r"\simeq": "≈",
    r"\cong": "≈",
    r"\sim": "≈",
    r"\doteq": "≈",
    r"\thickapprox": "≈",
    "≈": "≈",
    "≃": "≈",
    "≅": "≈",
    "≐": "≈",
    "∼": "≈",
    r"\to": "→",
    r"\rightarrow": "→",
    r"\longrightarrow": "→",
    r"\mapsto": "→",
    r"\longmapsto": "→",
    "↦": "→",
    "→": "→",
    "⟶": "→",
    r"\in": "∈",
    "∈": "∈",
    r"\equiv": ":=",
    r"\leftarrow": ":=",
    r"\gets": ":=",
    "←": ":=",
    r"\triangleq": ":=",
    r"\coloneqq": ":=",
    r"\coloneq": ":=",
    ":=": ":=",
    "≔": ":=",
    "≡": ":=",
    "≜": ":=",
    r"\ne": "≠",
    r"\neq": "≠",
    "≠": "≠",
    "<": "<",
    r"\lt": "<",
    ">": ">",
    r"\gt": ">",
    r"\le": "≤",
    r"\leq": "≤",
    "≤": "≤",
    r"\leqslant": "≤",
    "⩽": "≤",
    r"\ge": "≥",
    r"\geq": "≥",
    "≥": "≥",
    r"\geqslant": "≥",
    "⩾": "≥",
    r"\propto": "∝",
    "∝": "∝",
    r"\ll": "<",
    "≪": "<",
    r"\gg": ">",
    "≫": ">",
}

# Between two factors.
OPERATORS = {
    r"\times": "times",
    "×": "times",
    "*": "times",
    r"\ast": "times",
    "∗": "times",
    r"\star": "times",
    r"\cdot": "cdot",
    "·": "cdot",
    "⋅": "cdot",
    "∙": "cdot",
    r"\bullet": "cdot",
    r"\odot": "odot",
    "⊙": "odot",
    r"\circ": "odot",
    "∘": "odot",
    r"\otimes": "otimes",
    "⊗": "otimes",
    "@": "at",
    "/": "slash",
    "÷": "slash",
    r"\div": "slash",
    "∕": "slash",
}

MINUS = {"-", "−", "–", "﹣", "－"}

# Drawn, but without meaning: spaces, sizes, colours' switches.
SPACES = {
    r"\,", r"\!", r"\>", r"\thinspace", r"\negthinspace",
    r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\scriptscriptstyle", r"\limits", r"\nolimits", r"\nonumber",
    r"\notag", r"\big", r"\Big", r"\bigg", r"\Bigg", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr",
    r"\Biggl", r"\Biggr", r"\bigm", r"\hline", r"\relax", r"\par",
    r"\small", r"\footnotesize", r"\scriptsize", r"\tiny", r"\normalsize", r"\large", r"\Large", r"\allowbreak",
    r"\hfill", r"\hfil", r"\toprule", r"\midrule", r"\bottomrule", r"\strut", r"\mathstrut",
    r"\noindent", r"\centering", r"\inline", r"\LARGE", r"\huge", r"\Huge",
}  # fmt: skip

# A space that is seen: it parts the entries of a row in square brackets, and is nothing elsewhere.
GAPS = {r"\ ", r"\;", r"\:", r"\enspace", r"\medspace", r"\thickspace", r"\space", r"\nobreakspace", "~"}

# Between two formulas on one line.
SEPARATORS = {
    r"\quad", r"\qquad", r"\Rightarrow", r"\implies", r"\Longrightarrow", r"\iff", r"\Leftrightarrow",
    r"\Longleftrightarrow", r"\therefore", r"\because", r"\forall", "∀", "⇒", "⟹", "⇔", "⟺", "∴", "∵",
}  # fmt: skip
# Words in \text{} that stand between two formulas.
CONNECTIVES = {
    "and", "or", "where", "with", "for", "if", "so", "then", "thus", "hence", "since", "because", "as", "therefore",
    "i.e.", "e.g.", "respectively", "when", "while", "using",
    "且", "和", "与", "或", "其中", "则", "所以", "因此", "得", "即",
    "et", "ou", "où", "avec", "und", "oder", "mit", "wobei", "donde",
}  # fmt: skip

# With one argument that is shown as it is.
TRANSPARENT = {
    r"\boxed", r"\underline", r"\ensuremath", r"\fbox", r"\mathop", r"\mathbin", r"\mathrel",
    r"\mathord", r"\mathopen", r"\mathclose", r"\mathinner", r"\cancel", r"\smash",
}  # fmt: skip
# With arguments of which the last is shown.
DECORATED = {r"\textcolor": 1, r"\colorbox": 1, r"\stackrel": 1, r"\overset": 1, r"\underset": 1, r"\raisebox": 1}
# With one argument that is not shown, or is no part of the formula.
IGNORED = {
    r"\label", r"\tag", r"\tag*", r"\hspace", r"\hspace*", r"\vspace", r"\color", r"\phantom", r"\hphantom",
    r"\vphantom", r"\mspace", r"\setlength", r"\class", r"\cssId", r"\htmlClass", r"\cline", r"\intertext", r"\kern",
}  # fmt: skip

FONTS: dict[str, Font | Literal["operator"]] = {
    r"\mathbf": "bold", r"\boldsymbol": "bold", r"\bm": "bold", r"\mathbfit": "bold", r"\symbf": "bold",
    r"\textbf": "bold", r"\pmb": "bold", r"\bold": "bold", r"\mathrm": "roman", r"\textrm": "roman",
    r"\mathit": "italic", r"\textit": "text",
    r"\mathcal": "calligraphic", r"\mathscr": "calligraphic", r"\mathbb": "blackboard", r"\mathfrak": "fraktur",
    r"\mathbbm": "blackboard", r"\mathds": "blackboard",
    r"\mathsf": "sans", r"\textsf": "sans", r"\mathtt": "typewriter", r"\texttt": "typewriter",
    r"\text": "text", r"\mbox": "text", r"\textnormal": "text", r"\operatorname": "operator",
    r"\operatorname*": "operator", r"\mathnormal": "italic",
}  # fmt: skip
SWITCHES: dict[str, Font] = {
    r"\bf": "bold",
    r"\rm": "roman",
    r"\it": "italic",
    r"\cal": "calligraphic",
    r"\sf": "sans",
    r"\tt": "typewriter",
    r"\bfseries": "bold",
    r"\rmfamily": "roman",
}

ACCENTS = {
    r"\hat": "hat", r"\widehat": "hat", r"\bar": "bar", r"\overline": "bar", r"\tilde": "tilde", r"\widetilde": "tilde",
    r"\vec": "vec", r"\dot": "dot", r"\overrightarrow": "vec",
}  # fmt: skip

_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
    "sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
    "ell hbar"
)
GREEK = frozenset(_GREEK.split())
_SIGNS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩℓ"
_SIGN_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell"
)
GREEK_SIGNS = dict(zip(_SIGNS, _SIGN_NAMES.split(), strict=True))

DOTS = {r"\ldots", r"\cdots", r"\dots", r"\vdots", r"\ddots", r"\dotsc", r"\dotsb", r"\dotsm", "…", "⋯", "⋮", "⋱"}
SUMS = {r"\sum": "sum", "∑": "sum", r"\prod": "prod", "∏": "prod"}

# Functions by every spelling; the value is the name that the tree has.
FUNCTIONS = {
    "softmax": "softmax", "Softmax": "softmax", "SoftMax": "softmax", "SOFTMAX": "softmax", "exp": "exp", "log": "log",
    "ln": "ln", "lg": "lg", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "tanh": "tanh", "cosh": "cosh",
    "sinh": "sinh", "max": "max", "min": "min", "argmax": "argmax", "sigmoid": "sigmoid", "Sigmoid": "sigmoid",
    "ReLU": "ReLU", "Relu": "ReLU", "relu": "ReLU", "RELU": "ReLU", "GELU": "GELU", "gelu": "GELU", "SiLU": "SiLU",
    "LayerNorm": "LayerNorm", "layernorm": "LayerNorm", "LN": "LayerNorm", "Concat": "Concat", "concat": "Concat",
    "MultiHead": "MultiHead", "Attention": "Attention", "FFN": "FFN", "Embedding": "Embedding", "sum": "sum",
    "mean": "mean", "Mean": "mean", "var": "var", "Var": "var", "std": "std", "Std": "std", "norm": "norm",
    "transpose": "transpose", "rowsum": "rowsum", "diag": "diag", "det": "det", "abs": "abs", "erf": "erf",
    "tr": "trace", "trace": "trace", "MSE": "MSE", "dot": "dot", "Transpose": "transpose", "hstack": "Concat",
    "concatenate": "Concat", "rms": "rms", "RMSNorm": "RMSNorm",
    "PE": "PE", "PositionalEncoding": "PositionalEncoding", "log_softmax": "log_softmax", "logsoftmax": "log_softmax",
    "Tanh": "tanh", "Exp": "exp", "LeakyReLU": "LeakyReLU", "ELU": "ELU", "Swish": "SiLU", "MHA": "MultiHead",
}  # fmt: skip
FUNCTION_COMMANDS = {
    r"\exp", r"\log", r"\ln", r"\lg", r"\sin", r"\cos", r"\tan", r"\tanh", r"\cosh", r"\sinh", r"\max", r"\min",
    r"\det", r"\softmax", r"\ReLU", r"\relu", r"\sigmoid", r"\Concat", r"\LayerNorm",
}  # fmt: skip

MATRICES = {
    "array", "matrix", "bmatrix", "pmatrix", "Bmatrix", "smallmatrix", "bsmallmatrix", "psmallmatrix", "tabular",
}  # fmt: skip
DETERMINANTS = {"vmatrix"}
NORMS = {"Vmatrix"}
LAYOUTS = {
    "aligned", "align", "alignedat", "alignat", "gather", "gathered", "split", "equation", "multline", "multlined",
    "eqnarray", "flalign", "displaymath", "math", "subequations", "center", "displayquote",
}  # fmt: skip

OPEN = {"(": "(", "[": "[", r"\{": "{", r"\lbrace": "{", r"\lbrack": "[", r"\langle": "<", "⟨": "<", "（": "("}
CLOSE = {")": "(", "]": "[", r"\}": "{", r"\rbrace": "{", r"\rbrack": "[", r"\rangle": "<", "⟩": "<", "）": "("}
# A bar opens and closes; these do one of the two.
OPENING_BARS = {r"\lvert", r"\lVert"}
CLOSING_BARS = {r"\rvert", r"\rVert"}
BARS = {
    "|": "|",
    r"\vert": "|",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\|": "‖",
    "||": "‖",
    "∥": "‖",
    r"\Vert": "‖",
    r"\lVert": "‖",
    r"\rVert": "‖",
    "‖": "‖",
}

SUPERSCRIPTS = dict(
    zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", "0123456789+-()abcdefghijklmnoprstuvwxyz", strict=True)
)
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-()aeoxhklmnpstijruv", strict=True))
VULGAR = {
    "½": ("1", "2"),
    "⅓": ("1", "3"),
    "⅔": ("2", "3"),
    "¼": ("1", "4"),
    "¾": ("3", "4"),
    "⅛": ("1", "8"),
    "⅕": ("1", "5"),
}
