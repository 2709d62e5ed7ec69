"""The `sluice` command. Results on stdout (a table, or JSON with --json), errors on stderr.

Exit status: 0 done, 1 an error of the input or the program, 2 wrong usage. One file a subcommand.
"""

from __future__ import annotations

import sys


def main() -> None:
    from sluice.cli.app import app
    from sluice.errors import SluiceError

    try:
        app()
    except SluiceError as error:
        print(f"sluice: {error}", file=sys.stderr)
        sys.exit(1)
