"""What the lamps show: rhythm in time, hue, gamma, brightness and the cap, and when a frame next changes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import Caption
from reedlight.core.grid import Cell, square
from reedlight.scene.palette import DELAYS, LEVELS, ON_OFF, Colour, Hue, Palette
from reedlight.scene.render import (
    DIMMEST,
    FRAMES_PER_SECOND,
    UNLIMITED,
    WS2812,
    Budget,
    Frame,
    Panel,
    current,
    intensity,
    lit_buttons,
    next_change,
    render,
)
from reedlight.scene.scene import Button, Lamp, Light, Mark, Scene

GOLDEN = Path(__file__).with_name("frames.txt")
GLYPHS = " .:-=+*#%@"

CELLS = square(8).cells
BOARD = Panel({cell: lamp for lamp, cell in enumerate(CELLS)}, len(CELLS), LEVELS, WS2812)
MATRIX = Panel(BOARD.lamps, BOARD.count, ON_OFF, UNLIMITED)
A1, B1, C1 = CELLS[:3]
DARK = Colour(0, 0, 0)


def scene(**marks: Mark) -> Scene:
    return Scene(Caption("Lift a stack."), {Cell(cell): Light(mark) for cell, mark in marks.items()})


def full_of(mark: Mark) -> Scene:
    return Scene(Caption("Look."), {cell: Light(mark) for cell in CELLS})


def lit(shown: Frame) -> list[str]:
    return [CELLS[lamp] for lamp, colour in enumerate(shown) if colour != DARK]


# ---------------------------------------------------------------- lamps


def test_a_scene_without_lights_is_dark() -> None:
    assert render(scene(), 0.0, BOARD) == (DARK,) * 64


def test_each_cell_lights_its_own_lamp() -> None:
    strip = Panel({A1: 2, B1: 0}, 3, LEVELS, WS2812)
    assert [colour != DARK for colour in render(scene(a1=Mark.MOVABLE), 0.0, strip)] == [False, False, True]


def test_a_cell_without_a_lamp_stays_dark_and_the_others_shine() -> None:
    strip = Panel({A1: 0}, 1, ON_OFF, UNLIMITED)
    assert render(scene(h8=Mark.TARGET, a1=Mark.TARGET), 0.0, strip) == (Hue.LIT.value,)
    assert next_change(scene(h8=Mark.TAKEN, a1=Mark.TARGET), 0.0, strip) is None


def test_a_full_mark_has_the_hue_of_its_palette() -> None:
    (capture, *_), (plain, *_) = (render(scene(a1=Mark.CAPTURE), 0.0, panel) for panel in (BOARD, MATRIX))
    assert capture == (8, 149, 246)  # sky, #35c8fb, as shares of time: (53/255)^2.2 and so on
    assert plain == (255, 255, 255)


@pytest.mark.parametrize(
    ("panel", "complaint"),
    [
        ({"brightness": 1.1}, "brightness 1.1 is not between 0.3 and 1"),
        ({"brightness": 0.29}, "brightness 0.29 is not between 0.3 and 1"),
        ({"lamps": {A1: 63, B1: 64}}, "cell b1 has lamp 64, but lamps are 0 to 63"),
        ({"lamps": {A1: -1}}, "cell a1 has lamp -1, but lamps are 0 to 63"),
        ({"budget": Budget(20.0, 20.0, 1200.0)}, "64 dark lamps draw 1280.0 mA, cap 1200.0"),
    ],
)
def test_a_panel_that_cannot_be_lit_is_refused(panel: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        replace(BOARD, **panel)


# ---------------------------------------------------------------- time


def test_a_blink_is_lit_and_dark_in_turn() -> None:
    shown = [lit(render(scene(a1=Mark.TAKEN), moment, MATRIX)) for moment in (0.0, 0.1, 0.2, 0.3, 0.4, 0.6)]
    assert shown == [["a1"], ["a1"], [], [], ["a1"], []]


@pytest.mark.parametrize("panel", [BOARD, MATRIX], ids=["levels", "on-off"])
@pytest.mark.parametrize("mark", Mark)
def test_equal_phases_give_equal_frames_however_late(panel: Panel, mark: Mark) -> None:
    period = panel.palette.rhythms[mark].period
    assert (period * FRAMES_PER_SECOND).is_integer()
    for frame in range(round(period * FRAMES_PER_SECOND)):
        early = frame / FRAMES_PER_SECOND
        late = early + 1_000_000 * period
        assert render(full_of(mark), late, panel) == render(full_of(mark), early, panel)


def test_a_hint_is_a_long_and_a_short_flash_of_the_source_and_then_of_the_target() -> None:
    shown = [lit(render(scene(c3=Mark.HINT, d4=Mark.HINT), tenth / 10, MATRIX)) for tenth in range(20)]
    source = [["c3"]] * 4 + [[]] * 2 + [["c3"]] * 2
    target = [["d4"]] * 4 + [[]] * 2 + [["d4"]] * 2
    assert shown == [*source, *target, *[[]] * 4]


def test_the_winners_pieces_change_one_after_the_other() -> None:
    shown = [lit(render(scene(a1=Mark.WINNER, b1=Mark.WINNER, c1=Mark.WINNER), t, MATRIX)) for t in (0.5, 0.6, 0.7)]
    assert shown == [["b1", "c1"], ["c1"], ["a1"]]


def test_marks_without_a_delay_keep_step() -> None:
    assert {mark for mark in Mark if DELAYS[mark]} == {Mark.HINT, Mark.WINNER}
    assert lit(render(scene(a1=Mark.TAKEN, h8=Mark.TAKEN), 0.0, MATRIX)) == ["a1", "h8"]


def test_buttons_are_dark_lit_or_blinking() -> None:
    asked = replace(scene(), lamps={Button.GO: Lamp.BLINK, Button.NEXT: Lamp.ON, Button.BACK: Lamp.OFF})
    assert lit_buttons(asked, 10.0) == {Button.GO, Button.NEXT}
    assert lit_buttons(asked, 10.5) == {Button.NEXT}


# ---------------------------------------------------------------- the next change


@pytest.mark.parametrize(
    ("shown", "changes"),
    [
        (scene(), None),
        (scene(a1=Mark.TARGET), None),
        (scene(a1=Mark.CAPTURE), 0.5),
        (scene(a1=Mark.CAPTURE, b1=Mark.TAKEN), 0.2),
        (scene(a1=Mark.FORBIDDEN, b1=Mark.TARGET), 0.2),
        (replace(scene(a1=Mark.TARGET), lamps={Button.GO: Lamp.BLINK, Button.HINT: Lamp.ON}), 0.5),
    ],
    ids=["nothing", "steady", "a blink", "the sooner of two", "a pulse", "a button"],
)
def test_the_next_change_is_that_of_the_first_lamp_to_change(shown: Scene, changes: float | None) -> None:
    assert next_change(shown, 0.0, MATRIX) == changes


def test_the_next_change_of_a_breath_is_the_next_frame() -> None:
    assert next_change(scene(a1=Mark.SOURCE), 0.31, BOARD) == 10 / FRAMES_PER_SECOND


scenes = st.dictionaries(st.sampled_from(CELLS), st.builds(Light, st.sampled_from(Mark)), max_size=20).map(
    lambda lights: Scene(Caption("Look."), lights)
)
moments = st.floats(0, 1e7)


@settings(max_examples=60, deadline=None)
@given(scenes, moments)
def test_a_frame_holds_until_the_next_change_and_no_longer(shown: Scene, moment: float) -> None:
    until = next_change(shown, moment, MATRIX)
    now = render(shown, moment, MATRIX)
    frames = round(((until or moment + 2) - moment) * FRAMES_PER_SECOND)
    assert all(render(shown, moment + frame / FRAMES_PER_SECOND, MATRIX) == now for frame in range(frames))
    assert until is None or (until > moment and render(shown, until, MATRIX) != now)


# ---------------------------------------------------------------- gamma and brightness


def test_half_of_what_the_eye_sees_is_a_fifth_of_the_drive() -> None:
    drives = [render(scene(a1=Mark.CAPTURE), 0.0, replace(plain(), brightness=b))[0].red for b in (1.0, 0.5)]
    assert drives == [255, 55]


def test_what_is_brighter_to_the_eye_has_more_drive() -> None:
    drives = [render(scene(a1=Mark.SOURCE), frame / 30, plain())[0].red for frame in range(31)]
    assert drives == sorted(set(drives))


def plain() -> Panel:
    """The board with brightness but without hues, so that a channel shows the drive."""
    return replace(BOARD, palette=Palette("plain", LEVELS.rhythms, dict.fromkeys(Mark, Hue.LIT)))


@pytest.mark.parametrize("mark", Mark)
def test_every_mark_can_be_seen_at_the_lowest_brightness(mark: Mark) -> None:
    dim = replace(BOARD, brightness=DIMMEST)
    assert any(lit(render(scene(a1=mark), frame / 30, dim)) == ["a1"] for frame in range(60))


def test_on_off_lamps_are_lit_or_dark_at_any_brightness() -> None:
    shown = scene(a1=Mark.TAKEN, b1=Mark.MOVABLE)
    dim = replace(MATRIX, brightness=DIMMEST)
    for frame in range(60):
        assert lit(render(shown, frame / 30, dim)) == lit(render(shown, frame / 30, MATRIX))


def test_the_matrix_has_sixteen_intensities_that_follow_the_eye() -> None:
    assert [intensity(brightness) for brightness in (0.0, DIMMEST, 0.5, 0.7, 1.0)] == [0, 1, 3, 7, 15]


# ---------------------------------------------------------------- power


def test_current_is_counted_by_lamp_and_channel() -> None:
    assert current((DARK, Colour(255, 255, 0)), Budget(dark=1.0, channel=20.0, cap=99.0)) == 42.0


def test_a_frame_below_the_cap_is_not_dimmed() -> None:
    assert render(scene(a1=Mark.CAPTURE), 0.0, BOARD) == render(scene(a1=Mark.CAPTURE), 0.0, unlimited())


def unlimited() -> Panel:
    return replace(BOARD, budget=UNLIMITED)


def test_a_board_full_of_light_would_break_the_cap_and_comes_close_to_it() -> None:
    free, capped = (render(full_of(Mark.MERGE), 0.0, panel) for panel in (unlimited(), BOARD))
    assert current(free, WS2812) > 1.5 * WS2812.cap
    assert 0.98 * WS2812.cap < current(capped, WS2812) <= WS2812.cap


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(Mark), min_size=64, max_size=64), st.floats(0, 4), st.floats(DIMMEST, 1))
def test_no_frame_breaks_the_cap(marks: list[Mark], moment: float, brightness: float) -> None:
    shown = Scene(Caption("Look."), {cell: Light(mark) for cell, mark in zip(CELLS, marks, strict=True)})
    frame = render(shown, moment, replace(BOARD, brightness=brightness))
    assert current(frame, WS2812) <= WS2812.cap


def test_a_steady_lamp_does_not_sag_when_its_neighbours_blink() -> None:
    crowd = {cell: Light(Mark.CAPTURE) for cell in CELLS} | {A1: Light(Mark.TARGET)}
    frames = [render(Scene(Caption("Look."), crowd), frame / 30, BOARD) for frame in range(60)]
    alone = render(scene(a1=Mark.TARGET), 0.0, BOARD)
    assert len({frame[0] for frame in frames}) == 1
    assert frames[0][0] < alone[0]


# ---------------------------------------------------------------- the frames, drawn


def test_the_frames_of_every_mark_are_those_on_record() -> None:
    """REEDLIGHT_GOLDEN=1 pytest tests/scene draws them anew; review the difference."""
    drawn = picture()
    if os.environ.get("REEDLIGHT_GOLDEN"):
        GOLDEN.write_text(drawn, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == drawn


def picture() -> str:
    head = f"Two seconds of one lamp, a character a frame, as bright as the eye sees it: dark |{GLYPHS}| full.\n"
    panels = {"LEVELS": plain(), "ON_OFF": MATRIX}
    rows = [f"\n{name}\n" + "".join(map(panel_row, [panel] * len(Mark), Mark)) for name, panel in panels.items()]
    return head + "".join(rows)


def panel_row(panel: Panel, mark: Mark) -> str:
    drives = [render(scene(a1=mark), frame / 30, panel)[0].red for frame in range(60)]
    levels = [round((drive / 255) ** (1 / 2.2) * (len(GLYPHS) - 1)) for drive in drives]
    return f"{mark.value:9} |{''.join(GLYPHS[level] for level in levels)}|\n"
