"""What the rewrites of the rns dialect are worth: one program compiled with and without them.

Usage: python bench/programs/rewrites.py --build build/release [--runs N]   (prints JSON)

The program: a matrix of 128 x 128 times a secret vector, cubed element by element, 20 bits, from its settled form.
Every variant has its keys and inputs; they run in turns, one thread, and the shortest run counts. Each figure says the
backend.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import sluice as sl

SIZE = 128
MATRIX = np.random.default_rng(0).normal(size=(SIZE, SIZE)) / 8

# As in passes/Pipelines.cpp, without the passes that are measured; in the order in which they are added.
TO_RNS = ["cse", "ckks-to-rns"]
TO_FUSED = ["select-key-switching", "expand-base-changes", "canonicalize", "cse"]
VARIANTS = {
    "none": ([], []),
    "hoist": (["hoist", "cse"], []),
    "hoist, sink-divisions": (["hoist", "cse", "sink-divisions", "cse"], []),
    "hoist, sink-divisions, fuse-limb-loops": (["hoist", "cse", "sink-divisions", "cse"], ["fuse-limb-loops"]),
    "hoist, sink-divisions, split-transforms, fuse-limb-loops": (
        ["hoist", "cse", "sink-divisions", "cse"],
        ["split-transforms", "canonicalize", "cse", "fuse-limb-loops"],
    ),
}


def program(x: Any) -> Any:
    y = MATRIX @ x
    return y * y * y


class Bench:
    """One folder with a file of each kind for every variant."""

    def __init__(self, build: Path, folder: Path):
        self.bin, self.folder = build / "bin", folder
        self.values = np.random.default_rng(1).uniform(-1, 1, SIZE)
        np.save(folder / "x.npy", self.values)
        compiled = sl.compile(program, sl.Secret(SIZE, range=(-1, 1)), precision=20)
        (folder / "settled.mlir").write_text(compiled.stage("settled").as_text())

    def run(self, tool: str, *words: object) -> str:
        environment = dict(os.environ, SLUICE_THREADS="1")
        command = [str(self.bin / tool), *map(str, words)]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout

    def path(self, variant: str, ending: str) -> Path:
        return self.folder / f"{list(VARIANTS).index(variant)}{ending}"

    def prepare(self, variant: str) -> None:
        rewrites, fusion = VARIANTS[variant]
        passes = [*TO_RNS, *rewrites, *TO_FUSED, *fusion, "plan-memory"]
        fused, artifact = self.path(variant, ".mlir"), self.path(variant, ".sluice")
        self.run(
            "sluice-opt",
            self.folder / "settled.mlir",
            f"--pass-pipeline=builtin.module({','.join(passes)})",
            "-o",
            fused,
        )
        self.run("sluice-compile", "--from=fused", fused, "-o", artifact)
        self.run("sluice-client", "keygen", artifact, "-o", self.path(variant, ".keys"))
        public = self.path(variant, ".keys") / "public.key"
        self.run(
            "sluice-client",
            "encrypt",
            artifact,
            "--key",
            public,
            self.folder / "x.npy",
            "-o",
            self.path(variant, ".in"),
        )

    def measure(self, variant: str) -> dict[str, Any]:
        keys = self.path(variant, ".keys")
        printed = self.run(
            "sluice-run", self.path(variant, ".sluice"), "--keys", keys / "eval.keys", self.path(variant, ".in"),
            "-o", self.path(variant, ".out"), "--repeat", 3, "--json",
        )  # fmt: skip
        return json.loads(printed)

    def bits(self, variant: str) -> float:
        secret, result = self.path(variant, ".keys") / "secret.key", self.path(variant, ".npy")
        self.run(
            "sluice-client",
            "decrypt",
            self.path(variant, ".sluice"),
            "--key",
            secret,
            self.path(variant, ".out"),
            "-o",
            result,
        )
        return float(-np.log2(np.std(np.load(result).ravel() - program(self.values))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.build.resolve(), Path(folder))
        for variant in VARIANTS:
            bench.prepare(variant)
        runs: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
        for _ in range(arguments.runs):
            for variant in VARIANTS:
                runs[variant].append(bench.measure(variant))
        figures = [
            {
                "name": f"matvec_128_cube/{variant}",
                "real_time": min(run["compute_ms"] for run in runs[variant]),
                "unit": "ms",
                "backend": runs[variant][0]["backend"],
                "precision_bits": round(bench.bits(variant), 1),
                "key_bytes": (bench.path(variant, ".keys") / "eval.keys").stat().st_size,
            }
            for variant in VARIANTS
        ]
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
