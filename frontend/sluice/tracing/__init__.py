"""Tracing: runs a NumPy-looking function once on symbols and writes down upstream MLIR, the `traced` stage."""
