"""The file that tells a Pico its pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from reedlight.board.flash import pico_board
from reedlight.board.profile import ConfigError
from reedlight.board.toml import load_packaged, packaged_text, read

SHIPPED = Path(__file__).parents[2] / "firmware" / "board.py"


def names(text: str) -> dict[str, object]:
    """What a file of constants defines."""
    found: dict[str, object] = {}
    exec(text, found)  # noqa: S102  # the file is the project's own, and a Pico would run it as well
    return {name: value for name, value in found.items() if name.isupper()}


def test_the_oak_board_is_what_the_firmware_is_shipped_for() -> None:
    assert names(pico_board(load_packaged("oak-8x8"))) == names(SHIPPED.read_text("utf-8"))


def test_the_text_is_read_as_easily_as_the_shipped_one() -> None:
    text = pico_board(load_packaged("hex-61"))
    assert text.startswith('"""The pins of hex-61, made from its profile.\n')
    assert text.endswith(
        "ROWS = (2, 3, 4, 5, 6, 7, 8, 9)\n"
        "COLUMNS = (10, 11, 12, 13, 14, 15, 16, 17)\n"
        "\n"
        "#          GO    NEXT  BACK  HINT\n"
        "BUTTONS = (None, None, None, None)\n"
        "LAMPS = (None, None, None, None)\n"
    )


def test_buttons_and_lamps_on_the_pico_have_their_pins() -> None:
    text = packaged_text("oak-8x8").replace('on = "pi"', 'on = "pico"')
    text = text.replace("hint = 26", "hint = 28").replace("go = 5", "go = 18").replace("next = 6", "next = 19")
    text = text.replace("back = 13", "back = 20").replace("go = 12", "go = 21").replace("next = 16", "next = 22")
    text = text.replace("back = 22\nhint = 27", "hint = 26")
    made = names(pico_board(read(text, "oak.toml")))
    assert made["BUTTONS"] == (18, 19, 20, 28)
    assert made["LAMPS"] == (21, 22, None, 26)


def test_a_single_row_is_a_tuple_too() -> None:
    text = packaged_text("oak-8x8").replace("size = 8", "columns = 8\nrows = 2")
    text = text.replace("rows = [2, 3, 4, 5, 6, 7, 8, 9]", "rows = [2]").replace(
        "15, 16, 17]", "15, 16, 17, 18, 19, 20, 21, 22, 26, 27, 28]"
    )
    text = text.replace("count = 64", "count = 16").replace("columns = [10", "columns = [9, 10")
    assert names(pico_board(read(text, "oak.toml")))["ROWS"] == (2,)


def test_a_board_without_a_pico_has_nothing_to_flash() -> None:
    with pytest.raises(ConfigError, match=r"^budget-8x8: scan\.by: no Pico scans this board"):
        pico_board(load_packaged("budget-8x8"))
