"""Evaluates the traced stage in NumPy: an oracle for the tracer that shares no code with it.

Reads the text that the tracer writes, operation by operation, by regular expressions.
"""

from __future__ import annotations

import math
import re

import numpy as np

_TENSOR = re.compile(r"tensor<((?:\d+x)*)(f64|i32|i1)>")
_ELEMENTWISE = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
}
_UNARY = {
    "arith.negf": np.negative,
    "arith.uitofp": np.float64,
    "math.exp": np.exp,
    "math.tanh": np.tanh,
    "math.erf": np.vectorize(math.erf),
    "math.sqrt": np.sqrt,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
    "math.absf": np.abs,
}
_RELATIONS = {"ogt": np.greater, "oge": np.greater_equal, "olt": np.less, "ole": np.less_equal}


def evaluate(text: str, *inputs: np.ndarray) -> list[np.ndarray]:
    """The function's results on these arguments."""
    names = re.findall(r"%(\w+): tensor<", text.split("->", 1)[0])
    values = {name: np.asarray(value, dtype=np.float64) for name, value in zip(names, inputs, strict=True)}
    for line in text.splitlines():
        line = re.sub(r" loc\(.*?\)$", "", line.strip())
        if line.startswith("return "):
            return [values[name] for name in re.findall(r"%(\w+)", line)]
        if match := re.fullmatch(r"%(\w+) = (\S+)(.*)", line):
            result, kind, rest = match.groups()
            values[result] = _apply(kind.removesuffix("()"), rest, values)
    raise AssertionError("no return")


def _shape(text: str) -> tuple[int, ...]:
    """The shape of the last tensor type in the text."""
    return tuple(int(extent) for extent in _TENSOR.findall(text)[-1][0].split("x")[:-1])


def _list(text: str, before: str) -> list[int]:
    return [int(k) for k in re.search(re.escape(before) + r"\[([^\]]*)\]", text).group(1).split(",") if k.strip()]


def _constant(rest: str) -> np.ndarray | float:
    if "dense" not in rest:
        return float(rest.split(":")[0])
    shape = _shape(rest)
    if blob := re.search(r'dense<"0x([0-9A-F]+)">', rest):
        return np.frombuffer(bytes.fromhex(blob.group(1)), dtype="<f8").reshape(shape)
    content = re.search(r"dense<(.*?)> :", rest).group(1)
    numbers = np.array([float(number) for number in re.findall(r"[-+.\deE]+", content)])
    return np.full(shape, numbers[0]) if numbers.size == 1 else numbers.reshape(shape)


def _apply(kind: str, rest: str, values: dict[str, np.ndarray]) -> np.ndarray:
    operands = [values[name] for name in re.findall(r"%(\w+)", rest)]
    if kind == "arith.constant":
        return _constant(rest)
    if kind in _ELEMENTWISE:
        assert operands[0].shape == operands[1].shape == _shape(rest)
        return _ELEMENTWISE[kind](*operands)
    if kind in _UNARY:
        return _UNARY[kind](operands[0])
    if kind == "arith.cmpf":
        assert operands[0].shape == operands[1].shape == _shape(rest)
        return _RELATIONS[rest.split(",")[0].strip()](*operands)
    if kind == "arith.select":
        assert operands[0].dtype == np.bool_ and operands[0].shape == operands[1].shape == operands[2].shape
        return np.where(*operands)
    if kind == "math.fpowi":
        return operands[0] ** operands[1]
    if kind == "tensor.empty":
        return np.full(_shape(rest), np.nan)
    if kind == "linalg.fill":
        return np.full(_shape(rest), operands[0])
    if kind in ("linalg.dot", "linalg.matvec", "linalg.vecmat", "linalg.matmul"):
        return operands[0] @ operands[1] + operands[2]
    if kind == "linalg.reduce":
        return operands[0].sum(axis=tuple(_list(rest, "dimensions = "))) + operands[1]
    if kind == "linalg.broadcast":
        shape = list(operands[1].shape)
        for dimension in _list(rest, "dimensions = "):
            shape[dimension] = 1
        return np.broadcast_to(operands[0].reshape(shape), operands[1].shape)
    if kind == "linalg.transpose":
        return operands[0].transpose(_list(rest, "permutation = "))
    if kind == "tensor.extract_slice":
        offsets, sizes, strides = (
            [int(k) for k in group.split(",")] for group in re.findall(r"\[([^\]]*)\]", rest)[:3]
        )
        cut = tuple(slice(o, o + n * s, s) for o, n, s in zip(offsets, sizes, strides, strict=True))
        return operands[0][cut].reshape(_shape(rest))
    if kind == "tensor.extract":
        return operands[0][()]
    if kind == "tensor.from_elements":
        return np.array(operands)
    if kind == "ckks.polynomial":
        return _polynomial(rest, operands[0])
    raise AssertionError(f"unknown operation {kind}")


def _polynomial(rest: str, x: np.ndarray) -> np.ndarray:
    coefficients = np.atleast_1d(_constant(re.search(r"coefficients = (dense<.*?> : tensor<\d+xf64>)", rest).group(1)))
    low, high = (float(b) for b in re.search(r"interval = \[(.*?), (.*?)\]", rest).groups())
    if "basis = monomial" in rest:
        return sum(c * x**k for k, c in enumerate(coefficients))
    t = (2 * x - low - high) / (high - low)
    return sum(c * np.cos(k * np.arccos(np.clip(t, -1, 1))) for k, c in enumerate(coefficients))
