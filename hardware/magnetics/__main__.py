"""``python -m hardware.magnetics [positions]``: the margins of each board, and the fields of random play."""

from __future__ import annotations

import sys

from hardware.generator.boards import BOARDS, board_of
from hardware.magnetics.margins import margins
from hardware.magnetics.random_play import random_play


def main(arguments: list[str]) -> None:
    """Write everything."""
    lines: list[str] = []
    for name in BOARDS:
        board = board_of(name)
        lines.append(name)
        lines += [
            f"  {margin.value:5.2f}  {margin.name}: {margin.field:.2f} mT against {margin.limit:.2f}"
            for margin in margins(board.plan, board.parts)
        ]
    board = board_of(BOARDS[0])
    found = random_play(board.plan, board.parts, int(arguments[0]) if arguments else 500)
    lines.append(
        f"{found.positions} positions of random Diablo: empty cells up to {found.empty_most:.2f} mT "
        f"(margin {found.margin:.2f}), occupied ones from {found.occupied_least:.2f} mT"
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
