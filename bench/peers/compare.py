"""Two sides of one table: rows of a peer and of Sluice, joined, and the ratio of each pair or why there is none."""

from __future__ import annotations

from statistics import median
from typing import Any

Row = dict[str, Any]

# Below these, two columns count as equal: no two lists of primes have one product, no two secrets one norm.
LOG_TOLERANCE, BITS_TOLERANCE = 0.1, 0.1
# What a row prints of each side, in this order.
COLUMNS = (
    "limbs",
    "special",
    "digits",
    "log_q",
    "log_qp",
    "slots",
    "values",
    "bits",
    "worst_bits",
    "threads",
    "backend",
)


def pooled(processes: list[list[Row]]) -> dict[str, Row]:
    """Rows of one side by operation, over all its processes: the median of their medians, the minimum of all runs.

    The worst of the columns that differ between processes counts: bits, and memory.
    """
    found: dict[str, list[Row]] = {}
    for rows in processes:
        for row in rows:
            found.setdefault(row["operation"], []).append(row)
    return {operation: pool(rows) for operation, rows in found.items()}


def pool(rows: list[Row]) -> Row:
    row: Row = {column: rows[0].get(column) for column in COLUMNS}
    for column in ("bits", "worst_bits"):
        measured = [r[column] for r in rows if r.get(column) is not None]
        row[column] = min(measured) if measured else None
    row["median_ms"] = round(median(median(r["runs_ms"]) for r in rows), 4)
    row["min_ms"] = round(min(min(r["runs_ms"]) for r in rows), 4)
    row["processes"], row["runs"] = len(rows), sum(len(r["runs_ms"]) for r in rows)
    memory = [r["peak_memory_bytes"] for r in rows if r.get("peak_memory_bytes")]
    return row | ({"peak_memory_bytes": max(memory)} if memory else {})


def void_reasons(ours: Row, peer: Row) -> list[str]:
    """Every column in which ours is worse than the peer's: it may be what our time was bought with."""
    reasons = []
    if ours["slots"] < peer["slots"]:
        reasons.append(f"we have {ours['slots']} slots, not {peer['slots']}")
    if ours["values"] == "real" and peer["values"] == "complex":
        reasons.append("our values are real, not complex")
    for column, name in (("log_q", "log Q"), ("log_qp", "log QP")):
        if (less := peer[column] - ours[column]) > LOG_TOLERANCE:
            reasons.append(f"our {name} is smaller by {less:.1f}")
    if peer["bits"] is not None:
        if ours["bits"] is None:
            reasons.append("our bits are not known")
        elif (less := peer["bits"] - ours["bits"]) > BITS_TOLERANCE:
            reasons.append(f"we have {less:.1f} bits less")
    if ours["threads"] > peer["threads"]:
        reasons.append(f"we use {ours['threads']} threads, not {peer['threads']}")
    return reasons


def compare(ours: list[list[Row]], peer: list[list[Row]], name: str) -> list[Row]:
    """A row for each operation of ours, with the peer's under its name if it has the operation."""
    left, right = pooled(ours), pooled(peer)
    rows = []
    for operation, row in left.items():
        joined: Row = {"operation": operation, "sluice": row}
        if operation in right:
            other = right[operation]
            void = void_reasons(row, other)
            ratio = None if void else round(other["median_ms"] / row["median_ms"], 2)
            joined |= {name: other, "ratio": ratio, "void": void}
        rows.append(joined)
    return rows
