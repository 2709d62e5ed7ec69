"""Forecasts of time against warm runs: the machine is calibrated, then programs are compiled by its costs and run.

Usage: python bench/programs/forecast.py --build build/release [--runs N]   (prints JSON)

One thread; the shortest of all runs counts, as calibration counts the shortest of its times. `forecast_ms` is
`forecast.time_ms` of the manifest, what `sluice inspect` shows; `families` says what it is made of and what the
runtime's functions took, in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import sluice as sl

RANDOM = np.random.default_rng(1)
LARGE = RANDOM.normal(size=(128, 128)) / 8
FIRST, SECOND = RANDOM.normal(size=(16, 32)) / 6, RANDOM.normal(size=(10, 16)) / 4


Made = tuple[Callable[[Any], Any], sl.Secret, dict[str, Any]]


def breast_cancer() -> Made:
    """The model of examples/breast_cancer.py, trained on all rows."""
    features, labels = load_breast_cancer(return_X_y=True)
    features = StandardScaler().fit_transform(features)
    model = LogisticRegression(C=0.04, max_iter=1000).fit(features, labels)
    logits = model.decision_function(features)
    bounds = (float(np.floor(logits.min() - 1)), float(np.ceil(logits.max() + 1)))

    def score(x: Any) -> Any:
        return sl.sigmoid(model.coef_[0] @ x + model.intercept_[0], range=bounds)

    return score, sl.Secret(30, range=(-16, 16)), {"precision": 16, "batch": 114}


def network(x: Any) -> Any:
    """examples/03_matrix.py."""
    hidden = FIRST @ x + 0.1
    return SECOND @ (hidden * hidden)


def matrix_cube(x: Any) -> Any:
    """bench/programs/rewrites.py."""
    y = LARGE @ x
    return y * y * y


PROGRAMS: dict[str, Callable[[], Made]] = {
    "breast_cancer": breast_cancer,
    "matrix_32_16_10": lambda: (network, sl.Secret(32, range=(-1, 1)), {"precision": 16, "batch": 16}),
    "matrix_128_cube": lambda: (matrix_cube, sl.Secret(128, range=(-1, 1)), {"precision": 20}),
}


class Bench:
    """A folder with one program's files after another's."""

    def __init__(self, build: Path, folder: Path, runs: int):
        self.bin, self.folder, self.runs = build / "bin", folder, runs

    def tool(self, name: str, *words: object) -> str:
        environment = dict(os.environ, SLUICE_THREADS="1")
        command = [str(self.bin / name), *map(str, words)]
        return subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, text=True, env=environment
        ).stdout

    def measure(self, program: sl.Program) -> dict[str, Any]:
        """The shortest run of all."""
        program.save(self.folder / "p.sluice")
        self.tool("sluice-client", "keygen", "p.sluice", "-o", "keys", "--force")
        tensor = json.loads(program.manifest)["inputs"][0]
        shape = ([1] if tensor["batched"] else []) + tensor["shape"]
        low, high = tensor["range"]
        np.save(self.folder / "x.npy", RANDOM.uniform(low / 16, high / 16, shape))
        self.tool("sluice-client", "encrypt", "p.sluice", "--key", "keys/public.key", "x.npy", "-o", "x.ct")
        words = ["p.sluice", "--keys", "keys/eval.keys", "x.ct", "-o", "y.ct", "--repeat", 10, "--json"]
        results = [json.loads(self.tool("sluice-run", *words)) for _ in range(self.runs)]
        return min(results, key=lambda result: min(result["runs_ms"]))


def figure(name: str, program: sl.Program, run: dict[str, Any], report: dict[str, Any]) -> dict[str, Any]:
    forecast = json.loads(program.manifest)["forecast"]["time_ms"]
    measured = min(run["runs_ms"])
    return {
        "name": name,
        "forecast_ms": forecast,
        "real_time": measured,
        "unit": "ms",
        "ratio": round(forecast / measured, 3),
        "backend": run["backend"],
        "families": {
            "forecast": {family: round(times["ms"], 3) for family, times in report["kernel_times"].items()},
            "measured": {function["name"]: round(function["ms"], 3) for function in run["functions"]},
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.build.resolve(), Path(folder), arguments.runs)
        costs = Path(folder) / "costs.json"
        bench.tool("sluice-calibrate", "-o", costs)
        for name, make in PROGRAMS.items():
            function, secret, options = make()
            program = sl.compile(function, secret, costs=costs, **options)
            figures.append(figure(name, program, bench.measure(program), program._report or {}))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
