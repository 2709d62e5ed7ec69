"""Every operator and function of the package, on every kind of shape, under encryption against NumPy.

One program a group and shape, with an output for each expression; small insecure rings, for speed. The expressions run
on plain arrays, too: those are the references.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sluice as sl

UNIT = (-1.0, 1.0)
# A scalar, a vector, a vector of one, a matrix, and more dimensions.
SHAPES = [(), (3,), (1,), (2, 3), (2, 1, 3)]
SIDES = {
    (): np.array(0.5),
    (3,): np.array([0.5, -1.5, 2.0]),
    (1,): np.array([-0.75]),
    (2, 3): np.array([[0.5, -1.5, 2.0], [1.0, 0.25, -0.75]]),
    (2, 1, 3): np.array([[[0.5, -1.5, 2.0]], [[1.0, 0.25, -0.75]]]),
}

Outputs = dict[str, Any]


def arithmetic(x: Any) -> Outputs:
    return {
        "sum": x + x,
        "difference": x - 0.5 * x,
        "nothing": x - x,
        "product": x * (1 - x),
        "square": x * x,
        "negation": -x,
        "twice_negated": -np.negative(x),
        "plus": +x,
        "first_power": x**1,
        "cube": x**3,
        "fifth": x**5,
        "float_power": x**2.0,
        "np_power": np.power(x, 4),
        "np_square": np.square(x),
    }


def scalar_constants(x: Any) -> Outputs:
    return {
        "add": x + 2,
        "radd": 2 + x,
        "sub": x - 0.5,
        "rsub": 0.5 - x,
        "mul": x * 3,
        "rmul": -1.5 * x,
        "div": x / 4,
        "float64": np.float64(2.5) * x - np.float64(1.5),
        "float32": x * np.float32(0.5),
        "int64": np.int64(3) - x,
        "one": x * 1,
        "zero": x * 0 + 1,
        "small": x * 1e-4,
        "large": 1000 * x,
    }


def array_constants(x: Any) -> Outputs:
    c = SIDES[x.shape]
    return {
        "add": x + c,
        "radd": c + x,
        "sub": x - c,
        "rsub": c - x,
        "mul": x * c,
        "rmul": c * x,
        "div": x / c,
        "integers": np.arange(1, 1 + c.size).reshape(c.shape) * x,
        "mask": (c > 0) * x,
        "wider": x + np.ones((2, *c.shape)),
    }


def functions(x: Any) -> Outputs:
    return {
        "sigmoid": sl.sigmoid(2 * x - 0.5),
        "exp": sl.exp(x),
        "tanh": sl.tanh(x),
        "np_exp": np.exp(-x),
        "np_tanh": np.tanh(0.5 * x),
        "written_out": 1 / (1 + np.exp(-x)),
        "falling": 1 / (np.exp(x) + 1),
        "swish": x * sl.sigmoid(x),
        "derivative": sl.sigmoid(x) * (1 - sl.sigmoid(x)),
        "nested": np.tanh(np.tanh(x)),
    }


def polynomials(x: Any) -> Outputs:
    return {
        "monomial": sl.polynomial(x, [0.5, -1, 0, 2.0]),
        "chebyshev": sl.polynomial(x, [0.5, -1, 0.25, 0.5], basis="chebyshev"),
        "wide": sl.polynomial(x, [0.5, -1, 0.25], basis="chebyshev", interval=(-1.5, 3)),
        "constant": sl.polynomial(x, [0.5]),
        "linear": sl.polynomial(x, [0.5, 2.0]),
        "trailing_zeros": sl.polynomial(x, [0.0, 0.0, 1.0, 0.0, 0.0]),
        "zero": sl.polynomial(x, [0.0]),
    }


def sums(x: Any) -> Outputs:
    outputs = {
        "sum": x.sum(),
        "np_sum": np.sum(x),
        "mean": x.mean(),
        "centred": x - x.mean(),
        "variance": ((x - x.mean()) ** 2).mean(),
        "times_sum": x.sum() * x,
    }
    if x.ndim:
        outputs |= {
            "first_axis": x.sum(axis=0),
            "last_axis": x.mean(axis=-1),
            "kept": x.sum(axis=0, keepdims=True),
            "all_kept": x.sum(keepdims=True),
            "python": sum(x),
        }
    return outputs


def indexing(x: Any) -> Outputs:
    outputs = {"everything": x[...], "scalars": np.stack([1.5, x.sum(), -0.25, x.mean()])}
    outputs["transposed"] = x.T
    if x.ndim:
        outputs |= {
            "first": x[0],
            "last": x[-1] * 2,
            "step": x[::2],
            "new_axis": x[np.newaxis],
            "inner_axis": x[..., np.newaxis] * np.array([1.0, -2.0]),
        }
    return outputs


GROUPS = [arithmetic, scalar_constants, array_constants, functions, polynomials, sums, indexing]


def as_outputs(returned: Any) -> Outputs:
    return returned if isinstance(returned, dict) else {"result": returned}


def check(function: Callable[..., Outputs], shapes: list[tuple[int, ...]], batch: int | None, seed: int = 1) -> None:
    """The twin and the decrypted result have NumPy's shapes and values, an item of a batch at a time."""
    rng = np.random.default_rng(seed)
    items = batch and batch - 1  # a place is left empty
    leading = () if batch is None else (items,)
    inputs = [rng.uniform(*UNIT, size=leading + shape) for shape in shapes]
    program = sl.compile(function, *(sl.Secret(shape, range=UNIT) for shape in shapes), batch=batch, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    server = sl.Server(program, client.evaluation_keys)
    as_tuple = lambda results: results if isinstance(results, tuple) else (results,)  # noqa: E731
    twin = as_tuple(program.simulate(*inputs))
    decrypted = as_tuple(client.decrypt(server(client.encrypt(*inputs))))
    rows = [inputs] if batch is None else list(zip(*inputs, strict=True))
    references = [as_outputs(function(*row)) for row in rows]
    for k, name in enumerate(references[0]):
        columns = [np.asarray(reference[name], dtype=np.float64) for reference in references]
        wanted = columns[0] if batch is None else np.stack(columns)
        assert twin[k].shape == decrypted[k].shape == wanted.shape, name
        scale = max(1.0, np.abs(wanted).max())
        # Polynomials reach 16 bits on each function; a few functions follow one another.
        np.testing.assert_allclose(twin[k], wanted, rtol=0, atol=2.0**-14 * scale, err_msg=name)
        np.testing.assert_allclose(decrypted[k], wanted, rtol=0, atol=2.0**-12 * scale, err_msg=name)


@pytest.mark.parametrize("batch", [None, 3], ids=["single", "batch"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_one_secret(group, shape, batch):
    check(group, [shape], batch)


def two_of_a_shape(x: Any, y: Any) -> Outputs:
    return {
        "sum": x + y,
        "difference": x - y,
        "product": x * y,
        "distance": ((x - y) ** 2).sum(),
        "gate": sl.sigmoid(x) * y,
        "unlike": np.tanh(x + y) - x * 0.5,
    }


def dots(x: Any, y: Any) -> Outputs:
    return {"matmul": x @ y, "dot": np.dot(x, y), "inner": np.inner(x, y), "square": x @ x, "biased": x.dot(y) + 1}


def vector_and_scalar(x: Any, s: Any) -> Outputs:
    return {"add": x + s, "rsub": s - x, "mul": s * x, "dot": np.dot(s, x), "alone": s * np.array([1.0, -2.0])}


def matrix_and_vector(m: Any, v: Any) -> Outputs:
    return {
        "add": m + v,
        "rsub": v - m,
        "mul": m * v,
        "rows": np.stack([row @ v for row in m]),
        "outer": m[:, 0][:, np.newaxis] * v[np.newaxis],
    }


@pytest.mark.parametrize("batch", [None, 3], ids=["single", "batch"])
@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (two_of_a_shape, [(), ()]),
        (two_of_a_shape, [(3,), (3,)]),
        (two_of_a_shape, [(2, 3), (2, 3)]),
        (dots, [(5,), (5,)]),
        (vector_and_scalar, [(3,), ()]),
        (matrix_and_vector, [(2, 3), (3,)]),
    ],
    ids=lambda value: value.__name__ if callable(value) else str(value),
)
def test_two_secrets(function, shapes, batch):
    check(function, shapes, batch)


SQUARE = np.arange(9.0).reshape(3, 3) / 4 - 1
TALL = np.arange(12.0).reshape(4, 3) / 8 - 0.5


def vector_products(x: Any) -> Outputs:
    return {
        "dot": np.array([1.0, -2.0, 0.5]) @ x,
        "rdot": x @ np.array([1.0, -2.0, 0.5]),
        "square": SQUARE @ x,
        "tall": TALL @ x,
        "wide": TALL[:2] @ x,
        "row": np.ones((1, 3)) @ x,
        "left": x @ TALL.T,
        "column": x @ np.ones((3, 1)),
        "identity": np.eye(3) @ x,
        "zero": np.zeros((2, 3)) @ x,
        "integers": np.arange(6).reshape(2, 3) @ x,
        "layers": TALL.T @ ((TALL @ x + 0.25) ** 2) - 1,
        "residual": SQUARE @ x + x,
    }


def matrix_products(m: Any) -> Outputs:
    return {
        "left": np.array([[1.0, -1.0], [0.5, 2.0], [0.0, 1.0]]) @ m,
        "right": m @ TALL.T,
        "both": np.ones((2, 2)) @ m @ SQUARE,
        "vector": m @ np.array([1.0, -2.0, 0.5]),
        "from_left": np.array([1.0, -1.0]) @ m,
        "transposed": m.T @ np.eye(2),
        "rows": m[0] @ m[1],
        "dot": np.dot(m, np.ones(3)),
        "square": (m @ SQUARE) ** 2,
    }


@pytest.mark.parametrize("batch", [None, 3], ids=["single", "batch"])
@pytest.mark.parametrize(
    ("function", "shape"), [(vector_products, (3,)), (matrix_products, (2, 3))], ids=lambda value: str(value)[:20]
)
def test_products_with_clear_matrices(function, shape, batch):
    check(function, [shape], batch)


def test_outputs_may_repeat_and_inputs_may_be_unused():
    check(lambda x, y: {"a": x, "b": x, "c": x * x, "d": x}, [(3,), (2,)], None)


def test_a_bare_scalar_from_a_file(tmp_path):
    """`f64` without a tensor around it, which Python never traces."""
    source = tmp_path / "scalar.mlir"
    source.write_text(
        """func.func @f(%x: f64 {ckks.secret, ckks.name = "x", ckks.range = [-1.0, 1.0]}) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %e = math.exp %x : f64
  %d = arith.addf %e, %one : f64
  %s = arith.divf %one, %d : f64
  return %e, %s : f64, f64
}
"""
    )
    program = sl.compile(source, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    server = sl.Server(program, client.evaluation_keys)
    results = client.decrypt(server(client.encrypt(0.625)))
    assert [result.shape for result in results] == [(), ()]
    np.testing.assert_allclose(results, [np.exp(0.625), 1 / (1 + np.exp(0.625))], rtol=0, atol=2.0**-12)
