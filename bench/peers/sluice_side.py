"""Our side: the programs of peer_circuits.py, each run in a process of its own, by the tools that users run."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from peer_circuits import BASE, SLOTS, STEPS, Operation, Vector, columns, operations

PASSES = ("--evaluate-polynomials", "--lower-linear-transforms")
CLIENT = {  # what bench-client calls it -> the row
    "keygen_pair": "keygen_pair/24",
    "keygen_evaluation": "keygen_relin/24",
    "keygen_evaluation_file": "keygen_relin_file/24",
    "encode": "encode/24",
    "encode_encrypt": "encode_encrypt/24",
    "decrypt_decode": "decrypt_decode/24",
}


@dataclass
class Prepared:
    """A program with its keys and encrypted inputs in a folder."""

    operation: Operation
    folder: Path
    values: dict[str, Vector] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.operation.name}/{BASE + self.operation.level}"

    @property
    def program(self) -> Path:
        return self.folder / "program.sluice"

    @property
    def inputs(self) -> list[Path]:
        return [self.folder / f"{x}.ct" for x in self.operation.inputs]


class SluiceSide:
    def __init__(self, build: Path, folder: Path, long: bool, repeat: int):
        self.bin, self.repeat = build / "bin", repeat
        self.prepared = [Prepared(operation, folder / str(k)) for k, operation in enumerate(operations(long))]
        for one in self.prepared:
            self.prepare(one)
        self.product = next(one for one in self.prepared if one.name == "mul_relin/24")
        self.client_bits = self.measure_client_bits(self.product)

    def tool(self, name: str, *words: object) -> str:
        environment = dict(os.environ, SLUICE_THREADS="1")
        command = [str(self.bin / name), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
        return done.stdout

    def prepare(self, one: Prepared) -> None:
        one.folder.mkdir()
        settled, keys = one.folder / "settled.mlir", one.folder / "keys"
        settled.write_text(one.operation.text())
        self.tool("sluice-opt", *PASSES, settled, "-o", one.folder / "expanded.mlir")
        settled.unlink()
        self.tool("sluice-compile", "--from=settled", one.folder / "expanded.mlir", "-o", one.program)
        (one.folder / "expanded.mlir").unlink()
        self.tool("sluice-client", "keygen", one.program, "-o", keys)
        for k, (x, path) in enumerate(zip(one.operation.inputs, one.inputs)):
            one.values[x] = np.random.default_rng(10 + k).uniform(-1, 1, SLOTS)
            np.save(one.folder / f"{x}.npy", one.values[x])
            self.encrypt(one, x, keys / "secret.key", path)

    def encrypt(self, one: Prepared, x: str, key: Path, path: Path) -> None:
        words = ("--key", key, one.folder / f"{x}.npy", "--input", x)
        self.tool("sluice-client", "encrypt", one.program, *words, "-o", path)

    def measure_client_bits(self, one: Prepared) -> dict[str, dict[str, float]]:
        """Of a fresh encryption under the public key, and of one with the secret key, which decryption is timed on."""
        public = one.folder / "public.ct"
        self.encrypt(one, "x", one.folder / "keys" / "public.key", public)
        rows = {"encode_encrypt/24": public, "decrypt_decode/24": one.inputs[0]}
        return {row: self.bits(one, ciphertext, one.values["x"]) for row, ciphertext in rows.items()}

    def bits(self, one: Prepared, ciphertext: Path, expected: Vector) -> dict[str, float]:
        result = one.folder / "result.npy"
        words = ("--key", one.folder / "keys" / "secret.key", ciphertext, "-o", result)
        self.tool("sluice-client", "decrypt", one.program, *words)
        errors = np.load(result).ravel() - expected
        deviation, worst = np.sqrt(np.mean(errors**2)), np.abs(errors).max()
        return {"bits": round(float(-np.log2(deviation)), 2), "worst_bits": round(float(-np.log2(worst)), 2)}

    def row(self, operation: str, level: int, backend: str, runs: list[float]) -> dict[str, Any]:
        shape = {"operation": operation, **columns(level), "slots": SLOTS, "values": "real"}
        # "cpu, avx2, 1 thread"
        return {**shape, "threads": int(backend.split(", ")[2].split()[0]), "runs_ms": runs, "backend": backend}

    def measure(self) -> list[dict[str, Any]]:
        """One row for each operation, each from a process of its own."""
        rows = [self.run(one) for one in self.prepared]
        client = self.client()
        return self.transforms(client[0]["backend"]) + client + rows

    def run(self, one: Prepared) -> dict[str, Any]:
        outputs = [one.folder / f"{z}.ct" for z in one.operation.outputs]
        words = [word for path in outputs for word in ("-o", path)]
        keys = ("--keys", one.folder / "keys" / "eval.keys")
        slow = one.operation.name.startswith(("transform", "chebyshev"))
        repeat = 4 if slow else self.repeat
        printed = json.loads(
            self.tool("sluice-run", one.program, *keys, *one.inputs, *words, "--repeat", repeat, "--json")
        )
        expected = one.operation.expected(*(one.values[x] for x in one.operation.inputs))
        row = self.row(one.name, one.operation.level, printed["backend"], printed["runs_ms"][1:])
        row |= self.bits(one, outputs[-1], expected)
        return row | {"peak_memory_bytes": printed["peak_memory_bytes"]}

    def benchmark(self, binary: str, *words: object) -> dict[str, tuple[list[float], str]]:
        """Times of a Google Benchmark binary by name, in milliseconds, and its label."""
        options = ("--benchmark_format=json", "--benchmark_repetitions=5", "--benchmark_min_time=0.2")
        found: dict[str, tuple[list[float], str]] = {}
        for figure in json.loads(self.tool(binary, *words, *options))["benchmarks"]:
            if figure["run_type"] == "iteration":
                factor = {"us": 1e-3, "ms": 1}[figure["time_unit"]]
                runs, _ = found.setdefault(figure["run_name"], ([], figure.get("label", "")))
                runs.append(round(figure["real_time"] * factor, 4))
        return found

    def client(self) -> list[dict[str, Any]]:
        found = self.benchmark("bench-client", self.product.program)
        rows = [self.row(CLIENT[name], STEPS, backend, runs) for name, (runs, backend) in found.items()]
        return [row | self.client_bits.get(row["operation"], {}) for row in rows]

    def transforms(self, backend: str) -> list[dict[str, Any]]:
        """NTT and inverse of one limb, of the row of kernels that the programs run on."""
        kernels = backend.split(", ")[1]
        found = self.benchmark("bench-kernels", f"--benchmark_filter=^{kernels}/(ntt|intt)/16$")
        shape = {"limbs": 1, "special": 0, "digits": 0, "log_q": 50.0, "log_qp": 50.0}
        return [
            self.row(f"{transform}/1", STEPS, backend, found[f"{kernels}/{transform}/16"][0]) | shape
            for transform in ("ntt", "intt")
        ]
