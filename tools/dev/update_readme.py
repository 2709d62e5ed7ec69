"""Make the README's measured tables from the newest records under bench/results/.

Usage: python tools/dev/update_readme.py [--check]   (--check: exit 1 if the README is not up to date)
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from bench_records import ROOT, newest, records, replaced

sys.path.insert(0, str(ROOT / "examples"))  # the demo prints the same rows

from breast_cancer_result import rows

# Of the peers' record, the rows that the README shows; the others stand in the record.
PEER_ROWS = {
    "ntt/1": "NTT, one limb",
    "mul_relin/24": "multiply, relinearise",
    "rotate/24": "rotate",
    "rotate8/24": "8 rotations, hoisted",
    "rescale/24": "rescale",
    "transform64/24": "64 diagonals",
    "chebyshev63/24": "Chebyshev, degree 63",
    "keygen_relin/24": "a relinearisation key",
    "encode_encrypt/24": "encode, encrypt",
    "decrypt_decode/24": "decrypt, decode",
}


def has_record(what: str) -> bool:
    """Says so if there is none."""
    if not records(what):
        print(f"no record bench/results/*-cpu-{what}.json; run 'make bench'", file=sys.stderr)
    return bool(records(what))


def table() -> str:
    path, record = newest("breast_cancer")
    figures = record["figures"]
    lines = [
        f"Breast cancer (scikit-learn, 569 x 30): logistic regression trained in the clear, its "
        f"{figures['rows']} test rows scored in one ciphertext. {record['cpu']}, {record['cores']} cores, "
        f"{record['date']} ([record]({path.relative_to(ROOT)})).",
        "",
        "| | |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows(figures)),
    ]
    return "\n".join(lines)


def milliseconds(time: float) -> str:
    return f"{time:.0f}" if time >= 100 else f"{time:.3g}"


def peer_cells(row: dict[str, Any]) -> list[str]:
    """Columns of both sides as 'ours / theirs', once where they are equal."""
    ours, peer = row["sluice"], row.get("lattigo", {})

    def pair(column: str, digits: int | None = None) -> str:
        both = [side.get(column) for side in (ours, peer)]
        shown = ["-" if x is None else f"{x:.{digits}f}" if digits is not None else str(x) for x in both]
        return shown[0] if shown[0] == shown[1] else " / ".join(shown)

    if "ratio" not in row:
        ratio = "not measured"
    elif row["void"]:
        ratio = "void: " + ", ".join(row["void"])
    else:
        ratio = f"**{row['ratio']:.2f}**"
    columns = [pair("slots"), pair("values"), pair("log_qp", 0), pair("bits", 1), pair("threads")]
    times = [milliseconds(side["median_ms"]) if side else "-" for side in (ours, peer)]
    return [*columns, *times, ratio]


def peers_table() -> str:
    path, record = newest("peers")
    rows = {row["operation"]: row for row in record["figures"]["rows"]}
    others = record["cores_busy_with_others"]
    busy = f" The machine was not quiet: others kept {others:.1f} cores busy." if others > 0.1 else ""
    lines = [
        f"The same operations by Lattigo v6.2.0, N = 2^16, 24 limbs, medians in ms. {record['cpu']} "
        f"({rows['rotate/24']['sluice']['backend']}), {record['date']} ([record]({path.relative_to(ROOT)}), "
        "[how](bench/README.md)). Two figures in a cell are ours / Lattigo's; what is worse "
        f"on our side voids the ratio.{busy}",
        "",
        "| | slots | values | log QP | bits | threads | Sluice | Lattigo | ratio |",
        "|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {' | '.join([name, *peer_cells(rows[operation])])} |"
            for operation, name in PEER_ROWS.items()
            if operation in rows
        ),
    ]
    return "\n".join(lines)


def bootstrap_cells(row: dict[str, Any]) -> list[str]:
    """Columns of one of our rows, whose precision and memory stand deeper than the peer's."""
    precision = row.get("precision", {}).get("all", row)
    peak = row["memory"]["peak_bytes"] if "memory" in row else row["peak_bytes"]
    log_qp = row["security"]["log_qp"] if "security" in row else row["log_qp"]
    failure = f"2^{row['log2_failure']:.0f}" if "log2_failure" in row else ""
    cells = [f"{row['runs_ms'][0] / 1000:.3g}", f"**{row['warm_ms'] / 1000:.3g}**"]
    cells += [f"{precision[name]:.1f}" for name in ("mean_bits", "bits_of_mean", "worst_bits")]
    return [*cells, f"{row['levels_left']}, {row['log_q_left']:.0f}", f"{log_qp:.0f}", failure, f"{peak / 1e9:.1f}"]


def bootstrap_table() -> str:
    path, record = newest("bootstrap")
    figures = record["figures"]
    others = record["cores_busy_with_others"]
    busy = f" The machine was not quiet: others kept {others:.1f} cores busy." if others > 0.1 else ""
    lines = [
        f"Bootstraps of all slots, complex, N = 2^16 (`insecure_set5`: 2^15), one thread. {record['cpu']} "
        f"({figures['presets'][0]['backend']}), {record['date']} ([record]({path.relative_to(ROOT)}), "
        f"[presets and definitions](docs/bootstrap.md)).{busy}",
        "",
        "| | cold, s | warm, s | mean bits | bits of mean | worst | levels, log Q left | log QP | failure | peak GB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    beside = {row["beside"]: row for row in figures["lattigo"]}
    for row in figures["presets"]:
        name = row["preset"]
        lines.append(f"| {' | '.join([f'`{name}`', *bootstrap_cells(row)])} |")
        if peer := beside.get(name):
            title = f"Lattigo v6.2.0 {peer['preset']}: {peer['ratio']:.1f} times as long"
            lines.append(f"| {' | '.join([title, *bootstrap_cells(peer)])} |")
    return "\n".join(lines)


# The pairs of markers in the README, and what stands between them once there is a record.
TABLES = {
    "measured": ("breast_cancer", table),
    "peers": ("peers", peers_table),
    "bootstrap": ("bootstrap", bootstrap_table),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    path = ROOT / "README.md"
    text = path.read_text()
    updated = text
    for marker, (what, make) in TABLES.items():
        if has_record(what):
            updated = replaced(updated, marker, make())
    if arguments.check and updated != text:
        print("README.md: the measured tables are not those of bench/results; run tools/dev/update_readme.py")
        return 1
    path.write_text(updated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
