"""The end-to-end programs, each written once: run in the clear, on the twin, and under encryption.

`PROGRAMS` maps a name to a `Case`. Inputs are drawn uniformly from the ranges of the secrets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import sluice as sl

_RNG = np.random.default_rng(2)
WEIGHTS = _RNG.normal(size=30) / 4
MATRIX = _RNG.normal(size=(8, 16)) / 4
SECOND = _RNG.normal(size=(4, 8)) / 3
TALL = _RNG.normal(size=(16, 5)) / 4


@dataclass(frozen=True)
class Case:
    """A function, its secrets, the precision asked for, and the batch capacity (None: one item).

    `gap` is the comparison gap. With a `grid`, the first input has odd multiples of it and the second even ones, so
    that no comparison falls into the gap.
    """

    function: Callable
    secrets: tuple[sl.Secret, ...]
    precision: int = 16
    batch: int | None = None
    gap: float | None = None
    grid: float | None = None

    def compile(self) -> sl.Program:
        return sl.compile(
            self.function, *self.secrets, precision=self.precision, batch=self.batch, comparison_gap=self.gap
        )

    def inputs(self, seed: int) -> list[np.ndarray]:
        """One array a secret; with a batch, its first axis is the item."""
        rng = np.random.default_rng(seed)
        leading = () if self.batch is None else (self.batch,)
        inputs = [rng.uniform(*secret.range, size=leading + secret.shape) for secret in self.secrets]
        if self.grid is None:
            return inputs
        return [(2 * np.floor(x / (2 * self.grid)) + 1 - k) * self.grid for k, x in enumerate(inputs)]

    def clear(self, inputs: list[np.ndarray]) -> list[np.ndarray]:
        """What the function gives on plain NumPy arrays, item by item; one array an output."""
        items = [inputs] if self.batch is None else list(zip(*inputs))
        rows = [self._outputs(self.function(*item)) for item in items]
        columns = [np.stack(column) for column in zip(*rows)]
        return [column[0] for column in columns] if self.batch is None else columns

    @staticmethod
    def _outputs(returned: object) -> list[np.ndarray]:
        values = returned if isinstance(returned, (tuple, list)) else [returned]
        return [np.asarray(value, dtype=np.float64) for value in values]


def affine(x):
    return 0.5 * x - 1.25


def unchanged(x):
    return x


def large_values(x):
    """No level is used, and the values need more bits than the scale leaves to small ones."""
    return 10_000 * x - 100_000


def square_sum(x):
    return np.sum(x * x)


def difference_of_products(x, y):
    return x * y - (x + y) * 0.5


def dot_product(x):
    return WEIGHTS @ x + 0.125


def matrix_vector(x):
    return MATRIX @ x


def vector_matrix(x):
    return x @ TALL


def two_layers(x):
    hidden = MATRIX @ x + 0.1
    return SECOND @ (hidden * hidden)


def logistic(x):
    return sl.sigmoid(WEIGHTS @ x - 0.2, range=(-8, 8))


def cube_mean(x):
    return (x**3).mean()


def chebyshev(x):
    return sl.polynomial(x, [0.25, -0.5, 0.0, 1.0, 0.125, -0.25], basis="chebyshev", interval=(-2, 2))


def monomial(x):
    return sl.polynomial(x, [1.0, -0.5, 0.25, 0.125], interval=(-1, 1))


def hyperbolic(x):
    return np.tanh(x)


def exponential(x):
    return np.exp(x)


def two_demands(x):
    """The interval of the polynomial wants a scale 8 times smaller, of which the fourth power is left little."""
    return sl.polynomial(x, [0.125, 0.25, 0.5, 0.0625], basis="chebyshev", interval=(-8, 8)), (x * x) ** 2


def secret_dot(x, y):
    return x @ y


def two_outputs(x):
    return x + 1, x.sum()


def gaussian_gate(x):
    return sl.gelu(x)


def sigmoid_gate(x):
    return sl.silu(MATRIX @ x, range=(-4, 4))


def root(x):
    return np.sqrt(x), x**-0.5


def quotient(x, y):
    return sl.reciprocal(x), y / x


def rectified(x):
    return sl.relu(x)


def absolute(x):
    return abs(x)


def extrema(x, y):
    return sl.maximum(x, y), np.minimum(x, 0.25)


def hidden_layer(x):
    return SECOND @ sl.relu(MATRIX @ x, range=(-2, 2))


def comparison(x):
    return (x > 0.25) * 3 - 1, sl.where(x <= 0.25, 5, 2)


def choice(x, y):
    return sl.where(x > y, x * y, 0.5 * y)


_UNIT = (-1.0, 1.0)
PROGRAMS: dict[str, Case] = {
    "affine": Case(affine, (sl.Secret(16, range=(-4, 4)),)),
    "unchanged": Case(unchanged, (sl.Secret(16, range=_UNIT),)),
    "large_values": Case(large_values, (sl.Secret(16, range=_UNIT),)),
    "square_sum": Case(square_sum, (sl.Secret(16, range=_UNIT),)),
    "difference_of_products": Case(difference_of_products, (sl.Secret(8, range=_UNIT), sl.Secret(8, range=_UNIT))),
    "dot_product": Case(dot_product, (sl.Secret(30, range=(-2, 2)),), batch=7),
    "matrix_vector": Case(matrix_vector, (sl.Secret(16, range=_UNIT),)),
    "vector_matrix": Case(vector_matrix, (sl.Secret(16, range=_UNIT),), batch=3),
    "two_layers": Case(two_layers, (sl.Secret(16, range=_UNIT),)),
    "logistic": Case(logistic, (sl.Secret(30, range=_UNIT),), batch=10),
    "cube_mean": Case(cube_mean, (sl.Secret(8, range=_UNIT),)),
    "chebyshev": Case(chebyshev, (sl.Secret(4, range=(-2, 2)),)),
    "monomial": Case(monomial, (sl.Secret((), range=_UNIT),)),
    "hyperbolic": Case(hyperbolic, (sl.Secret(4, range=(-2, 2)),)),
    "exponential": Case(exponential, (sl.Secret(4, range=_UNIT),)),
    "two_demands": Case(two_demands, (sl.Secret(4, range=_UNIT),)),
    "secret_dot": Case(secret_dot, (sl.Secret(8, range=_UNIT), sl.Secret(8, range=_UNIT))),
    "gaussian_gate": Case(gaussian_gate, (sl.Secret(4, range=(-4, 4)),)),
    "sigmoid_gate": Case(sigmoid_gate, (sl.Secret(16, range=_UNIT),), batch=3),
    "root": Case(root, (sl.Secret(4, range=(0.25, 2)),)),
    "quotient": Case(quotient, (sl.Secret(4, range=(0.5, 3)), sl.Secret(4, range=(-2, 2)))),
    "rectified": Case(rectified, (sl.Secret(4, range=_UNIT),), precision=8),
    "absolute": Case(absolute, (sl.Secret((), range=_UNIT),), precision=8),
    "extrema": Case(extrema, (sl.Secret(4, range=(-0.5, 0.5)), sl.Secret(4, range=(-0.5, 0.5))), precision=8),
    "hidden_layer": Case(hidden_layer, (sl.Secret(16, range=_UNIT),), precision=6),
    "comparison": Case(comparison, (sl.Secret(4, range=_UNIT),), precision=7, gap=1 / 20, grid=1 / 16),
    "choice": Case(choice, (sl.Secret(4, range=_UNIT), sl.Secret(4, range=_UNIT)), precision=7, gap=1 / 16, grid=1 / 8),
    "two_outputs": Case(two_outputs, (sl.Secret(8, range=_UNIT),)),
}

# The same functions at full precision, for test-slow.
DEEP: dict[str, Case] = {
    "rectified_deep": Case(rectified, (sl.Secret(4, range=_UNIT),)),
    "comparison_deep": Case(comparison, (sl.Secret(4, range=_UNIT),), gap=2**-8, grid=2**-6),
}

# Programs whose twin differs from the function: they hold a function that becomes a polynomial. The number is what the
# rest of the program makes of its error at most.
APPROXIMATED = {
    "logistic": 1.0,
    "hyperbolic": 1.0,
    "exponential": 1.0,
    "gaussian_gate": 1.0,
    "sigmoid_gate": 1.0,
    "root": 1.0,
    "quotient": 1.0,
    "rectified": 1.0,
    "absolute": 1.0,
    "extrema": 1.0,
    "hidden_layer": float(np.abs(SECOND).sum(axis=1).max()),
    "comparison": 3.0,
    "choice": 1.0,
    "rectified_deep": 1.0,
    "comparison_deep": 3.0,
}
