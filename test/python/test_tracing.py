"""The tracer: emitted text against upstream's parser, its meaning against NumPy, and what it refuses."""

from __future__ import annotations

import linecache
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import programs
import sluice as sl
from sluice.tracing.builder import dense_text, float_text
from sluice.tracing.tracer import trace
from traced_interpreter import evaluate


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_program_is_valid_and_means_the_function(name, verify_mlir):
    case = programs.PROGRAMS[name]
    module = trace(case.function, case.secrets)
    if "ckks.polynomial" not in module.text:  # its custom syntax needs the ckks dialect: test/tools has that
        verify_mlir(module.text)
    rng = np.random.default_rng(7)
    inputs = [rng.uniform(*secret.range, size=secret.shape) for secret in case.secrets]
    for got, wanted in zip(evaluate(module.text, *inputs), case._outputs(case.function(*inputs)), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def test_text_of_a_small_program():
    def score(x):
        return sl.sigmoid(np.array([0.5, -1.0]) @ x, range=(-4, 4))

    line = score.__code__.co_firstlineno
    text = trace(score, (sl.Secret(2, range=(-8, 8)),), batch=114).text
    text = text.replace(__file__, "test.py")
    definition, body = f'loc("test.py":{line}:1)', f'loc("test.py":{line + 1}'
    assert text == (
        f"""module {{
  func.func @score(%x: tensor<2xf64> {{ckks.secret, ckks.name = "x", ckks.range = [-8.0, 8.0]}} {definition})"""
        f""" -> (tensor<f64> {{ckks.name = "result"}}) attributes {{ckks.batch = 114 : i64}} {{
    %0 = arith.constant dense<[0.5, -1.0]> : tensor<2xf64> {body}:27)
    %1 = arith.constant 0.0 : f64 {body}:27)
    %2 = tensor.empty() : tensor<f64> {body}:27)
    %3 = linalg.fill ins(%1 : f64) outs(%2 : tensor<f64>) -> tensor<f64> {body}:27)
    %4 = linalg.dot {{ckks.range = [-4.0, 4.0]}} ins(%0, %x : tensor<2xf64>, tensor<2xf64>) outs(%3 : tensor<f64>)"""
        f""" -> tensor<f64> {body}:27)
    %5 = arith.negf %4 : tensor<f64> {body}:16)
    %6 = math.exp %5 : tensor<f64> {body}:16)
    %7 = arith.constant dense<1.0> : tensor<f64> {body}:16)
    %8 = arith.addf %7, %6 : tensor<f64> {body}:16)
    %9 = arith.divf %7, %8 : tensor<f64> {body}:16)
    return %9 : tensor<f64> {definition}
  }} {definition}
}} {definition}
"""
    )


def test_outputs_are_named():
    secrets = (sl.Secret(3, range=(-1, 1)),)
    assert re.findall(r'-> .*ckks.name = "(\w+)"', trace(lambda x: x + 1, secrets).text) == ["result"]
    text = trace(lambda x: {"shifted": x + 1, "total": x.sum()}, secrets).text
    assert '-> (tensor<3xf64> {ckks.name = "shifted"}, tensor<f64> {ckks.name = "total"})' in text
    assert "@program(" in text


_FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(_FLOATS)
def test_floats_survive_their_text(value):
    text = float_text(value)
    assert re.fullmatch(r"-?\d+\.\d*([eE][-+]?\d+)?", text)  # MLIR's grammar of float literals
    assert np.float64(text).tobytes() == np.float64(value).tobytes()


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=12), elements=_FLOATS))
def test_constants_survive_their_text(values):
    text = dense_text(values)
    if text.startswith('dense<"0x'):
        parsed = np.frombuffer(bytes.fromhex(text[9:-2]), dtype="<f8")
    else:
        parsed = np.array([float(number) for number in re.findall(r"[-+.\de]+", text.removeprefix("dense"))])
    parsed = np.broadcast_to(parsed, values.size)
    assert np.array(parsed).tobytes() == values.tobytes()


_UNARY = ["-", "+", "abs", "np.tanh", "np.negative", "sl.sigmoid", "sl.relu", "sl.gelu", "sl.silu"]


@st.composite
def _expressions(draw, depth=4):
    """Python source of an expression over x (4,), y (4,), s () and A (3, 4), with its shape: 'v4', 'v3' or 's'."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([("x", "v4"), ("y", "v4"), ("s", "s"), ("x[1:4]", "v3")]))
    left, shape = draw(_expressions(depth=depth - 1))
    kind = draw(st.sampled_from(["binary", "constant", "unary", "reduce", "matrix", "power"]))
    if kind == "binary":
        right, other = draw(_expressions(depth=depth - 1))
        if shape != other and "s" not in (shape, other):
            right, other = "s", "s"
        return f"({left} {draw(st.sampled_from('+-*'))} {right})", other if shape == "s" else shape
    if kind == "constant":
        number = draw(st.floats(-2, 2))
        return draw(st.sampled_from([f"({number!r} - {left})", f"({left} * {number!r})", f"({left} / 3)"])), shape
    if kind == "unary":
        return f"{draw(st.sampled_from(_UNARY))}({left})", shape
    if kind == "reduce":
        return (
            (left, shape)
            if shape == "s"
            else (draw(st.sampled_from([f"np.sum({left})", f"{left}.mean()", f"({left})[-1]"])), "s")
        )
    if kind == "matrix":
        return (f"(A @ {left})", "v3") if shape == "v4" else (f"({left} @ A)", "v4") if shape == "v3" else (left, shape)
    return f"(np.tanh({left}) ** {draw(st.integers(1, 4))})", shape


@settings(max_examples=200, deadline=None)
@given(_expressions(), st.integers(0, 2**32 - 1))
def test_random_expressions_mean_what_numpy_means(expression, seed):
    names = {"np": np, "sl": sl, "A": np.arange(12).reshape(3, 4) / 7 - 1}
    function = eval(f"lambda x, y, s: {expression[0]}", names)
    vector, scalar = sl.Secret(4, range=(-1, 1)), sl.Secret(range=(-1, 1))
    rng = np.random.default_rng(seed)
    x, y, s = rng.uniform(-1, 1, 4), rng.uniform(-1, 1, 4), rng.uniform(-1, 1)
    text = trace(function, (vector, vector, scalar)).text
    np.testing.assert_allclose(evaluate(text, x, y, s)[0], function(x, y, s), rtol=1e-10, atol=1e-10)


_MATRIX = sl.Secret((3, 4), range=(-1, 1))


@pytest.mark.parametrize(
    "function",
    [
        lambda m: m.T @ np.arange(3.0),
        lambda m: np.transpose(m)[1],
        lambda m: m.sum(axis=0),
        lambda m: m.sum(axis=(0, 1)),
        lambda m: m.mean(axis=-1, keepdims=True) * np.ones((3, 4)),
        lambda m: m[1:, ::2] + m[0, 1],
        lambda m: m[..., 2],
        lambda m: np.stack([m[0, 0], m[2, 3], 1.5]),
        lambda m: m * np.arange(4) + np.arange(3)[:, np.newaxis],
        lambda m: np.dot(np.ones((2, 3)), m) / np.array([1.0, 2.0, 4.0, 8.0]),
        lambda m: sum(row @ row for row in m),
        lambda m: np.broadcast_to(m[0], (2, 4)) - m[1:, :],
        lambda m: np.square(m) - np.float64(2) * m,
        lambda m: 1 / (1 + np.exp(-m)),
        lambda m: np.inner(m[0], m[1]) + m[2].dot(m[2]) + np.vdot(m[0], m[0]),
        lambda m: sl.gelu(m) - sl.silu(m) * sl.relu(m),
        lambda m: np.sqrt(m + 2) + (m + 2) ** 0.5 + (m + 3) ** -0.5,
        lambda m: sl.reciprocal(m + 2) - np.reciprocal(m + 3) + 2 / (m + 2) + (m + 2) ** -3,
        lambda m: abs(m) + np.abs(m) * sl.abs(m) - np.fabs(m),
        lambda m: np.maximum(m, m[0]) - sl.minimum(0.25, m) + np.clip(m, -0.5, 0.5) + m.T[1, 0],
        lambda m: sl.where(m > 0.25, m, -1) + np.where(m <= 0.25, 2 * m, m[0]),
        lambda m: (m[0] < m[1]) * m[2] - (m[2] <= 0.5) + 1,
        lambda m: sl.where((m > 0) & (m < 0.5) | ~(m > -0.5), m, 0),
        lambda m: sl.where(np.greater(m, 0), 1, 2) - np.less(0.25, m) + np.less_equal(m, 0) * np.greater_equal(0.5, m),
        lambda m: np.where(np.eye(3, 4) > 0, m, 2 * m) + sl.where(np.eye(3, 4), m, 3),
        lambda m: sl.where(m[0, 0] > 0, m, -m) + sl.where(m[0] > 0, m, 1),
        lambda m: m[0][:, np.newaxis] * m[1][np.newaxis],
        lambda m: m[np.newaxis, ..., 1, np.newaxis],
        lambda m: m[2, None, 1:3, None],
    ],
)
def test_shapes_follow_numpy(function, verify_mlir):
    text = trace(function, (_MATRIX,)).text
    verify_mlir(text)
    m = np.random.default_rng(3).uniform(-1, 1, (3, 4))
    np.testing.assert_allclose(evaluate(text, m)[0], function(m), rtol=1e-12, atol=1e-12)


def _trace_line(expression: str) -> None:
    """Traces `return <expression>` as if it were line 2 of model.py."""
    source = f"def model(x):\n    return {expression}\n"
    linecache.cache["model.py"] = (len(source), None, source.splitlines(True), "model.py")
    names = {"np": np, "sl": sl}
    exec(compile(source, "model.py", "exec"), names)
    trace(names["model"], (sl.Secret(4, range=(-1, 1)),))


_USE = (
    "fix: use + - * / ** @, comparisons, slices, sums, means, dot products, np.exp np.tanh np.sqrt np.abs np.maximum "
    "np.minimum np.where, sl.sigmoid sl.relu sl.gelu sl.silu, or approximate the function on its range by sl.polynomial"
)
_KEEP = "fix: keep it as it is: use + - * ** @ and NumPy functions on the array; build arrays of secrets by np.stack"
_CONVERTS = "the program converts a secret value to a Python number or a NumPy array"
_EQUAL = "fix: values with noise never are: compare the difference, as in abs(x - y) < 0.01"


@pytest.mark.parametrize(
    ("expression", "problem", "marked", "fix"),
    [
        (
            "1 if x[0] else 0",
            "the program branches on a secret value",
            "1 if x[0] else 0",
            "fix: compute both branches and choose by sl.where(condition, a, b)",
        ),
        ("x == np.ones(4)", "the program asks whether secret values are equal", "x == np.ones(4)", _EQUAL),
        ("np.not_equal(x, 0)", "the program asks whether secret values are equal", "np.not_equal(x, 0)", _EQUAL),
        ("float(x[0])", _CONVERTS, "float(x[0])", _KEEP),
        ("int(x[0])", _CONVERTS, "int(x[0])", _KEEP),
        ("np.array([x[0], x[1]])", _CONVERTS, "np.array([x[0], x[1]])", _KEEP),
        ("x.tolist()", _CONVERTS, "x.tolist()", _KEEP),
        ("np.sin(x)", "np.sin is not supported on secret values", "np.sin(x)", _USE),
        ("np.sort(x)", "np.sort is not supported on secret values", "np.sort(x)", _USE),
        (
            "np.multiply.reduce(x)",
            "np.multiply.reduce is not supported on secret values",
            "np.multiply.reduce(x)",
            _USE,
        ),
        ("np.add(x, 1, out=x)", "np.add with options is not supported on secret values", "np.add(x, 1, out=x)", _USE),
        ("x.argmax()", "the array attribute .argmax is not supported on secret values", "x.argmax", _USE),
        ("x % 2", "the operator % is not supported on secret values", "x % 2", _USE),
        ("x / 0", "division by zero", "x / 0", "fix: use a divisor without zeros"),
        (
            "x ** 0.3",
            "a secret value is raised to the power 0.3",
            "x ** 0.3",
            "fix: use an integer other than 0, 0.5 or -0.5, or approximate the function on its range by sl.polynomial",
        ),
        ("2 ** x", "the exponent of ** is secret", "2 ** x", "fix: use a clear exponent, or sl.exp"),
        (
            "x + np.ones(5)",
            "shapes (4,) and (5,) do not fit together",
            "x + np.ones(5)",
            "fix: make them equal or let one be a scalar",
        ),
        (
            "np.ones((2, 3)) @ x",
            "@ of shapes (2, 3) and (4,): 3 columns meet 4 rows",
            "np.ones((2, 3)) @ x",
            "fix: make the inner dimensions equal",
        ),
        ("x * 1j", "a clear operand of type complex128 meets a secret value", "x * 1j", "fix: use real numbers"),
        ("x * np.inf", "a clear operand is infinite or not a number", "x * np.inf", "fix: use finite constants"),
        (
            "x[::-1]",
            "a slice that is empty or runs backwards",
            "x[::-1]",
            "fix: use a positive step and at least one element",
        ),
        (
            "x[True]",
            "indexing by bool",
            "x[True]",
            "fix: use integers and slices; np.stack rearranges",
        ),
        (
            "x[..., ...]",
            "indexing by ellipsis",
            "x[..., ...]",
            "fix: use integers and slices; np.stack rearranges",
        ),
        (
            "x[0, None, 1]",
            "2 indices for an array of shape (4,)",
            "x[0, None, 1]",
            "fix: use fewer",
        ),
        (
            "np.ones(4)[x[0]]",
            _CONVERTS,
            "np.ones(4)[x[0]]",
            _KEEP,
        ),
        (
            "sl.sigmoid(x, range=(-0.5, 0.5))",
            "range=(-0.5, 0.5) is narrower than the range (-1.0, 1.0) of secret 'x'",
            "sl.sigmoid(x, range=(-0.5, 0.5))",
            "fix: give the narrower range to sl.Secret, where values of 'x' are checked against it",
        ),
    ],
)
def test_refusals_show_the_users_line(expression, problem, marked, fix):
    with pytest.raises(sl.TraceError) as caught:
        _trace_line(expression)
    indent = " " * (4 + len("return ") + expression.index(marked))
    expected = f"model.py:2: {problem}\n    return {expression}\n{indent}{'^' * len(marked)}\n{fix}"
    assert str(caught.value) == expected
    assert (caught.value.location.file, caught.value.location.line) == ("model.py", 2)


def test_assignment_is_refused():
    def model(x):
        x[0] = 1
        return x

    with pytest.raises(sl.TraceError, match="the program assigns to elements of a secret array") as caught:
        trace(model, (sl.Secret(4, range=(-1, 1)),))
    assert caught.value.location.line == model.__code__.co_firstlineno + 1


@pytest.mark.parametrize(
    ("function", "count", "problem"),
    [
        (lambda x, y: x + y, 1, "the function takes x, y; 1 secrets were given"),
        (lambda x: x, 2, "the function takes x; 2 secrets were given"),
        (lambda x: 3.0, 1, "result of 'program' does not depend on a secret (float)"),
        (lambda x: (), 1, "the function must return a secret value, a tuple or a dictionary of them"),
    ],
)
def test_signature_problems(function, count, problem):
    with pytest.raises(sl.TraceError) as caught:
        trace(function, (sl.Secret(4, range=(-1, 1)),) * count)
    assert caught.value.problem == problem


def _compile(**options) -> None:
    sl.compile(lambda x: x * x, sl.Secret(4, range=(-1, 1)), **options)


def test_extents_may_be_numpys():
    assert sl.Secret(np.int64(3), range=(0, 1)) == sl.Secret([3], range=(0, 1)) == sl.Secret((3,), range=(0, 1))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: sl.Secret(4, range=(1, 1)), "the range of a secret must be finite with low < high, not (1.0, 1.0)"),
        (lambda: sl.Secret(4, range=3), "the range of a secret must be a pair (low, high), not 3"),
        (lambda: sl.Secret((4, 0), range=(0, 1)), "an extent of a secret must be a positive integer, not 0"),
        (lambda: sl.Secret(True, range=(0, 1)), "an extent of a secret must be a positive integer, not True"),
        (lambda: _compile(precision=51), "precision must be between 1 and 50 bits, not 51"),
        (lambda: _compile(precision="high"), "precision must be between 1 and 50 bits, not 'high'"),
        (lambda: _compile(comparison_gap=0), "comparison_gap must be above 0 and below 1, not 0"),
        (lambda: _compile(comparison_gap="wide"), "comparison_gap must be above 0 and below 1, not 'wide'"),
        (lambda: _compile(batch=2.5), "batch must be a positive integer, not 2.5"),
        (lambda: _compile(batch=True), "batch must be a positive integer, not True"),
        (lambda: _compile(log_n=-1), "log_n must be a positive integer, not -1"),
        (lambda: _compile(log_n=11.5), "log_n must be a positive integer, not 11.5"),
        (lambda: _compile(name=3), "the name of a program must be a string, not 3"),
        (lambda: sl.polynomial(1.0, []), "coefficients must be a non-empty vector, not of shape (0,)"),
        (
            lambda: sl.polynomial(1.0, [1], basis="legendre"),
            'basis must be "chebyshev" or "monomial", not \'legendre\'',
        ),
    ],
)
def test_bad_arguments(make, text):
    with pytest.raises(sl.SluiceError) as caught:
        make()
    assert str(caught.value) == text
