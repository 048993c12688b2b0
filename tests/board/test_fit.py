"""Games on boards: which cell of the board each cell of a game lies on."""

from __future__ import annotations

from itertools import product

import pytest

from reedlight.board.fit import Kind, Placement, fit, placement, why
from reedlight.board.profile import ConfigError, Profile
from reedlight.board.toml import load_packaged, packaged, read
from reedlight.core.grid import Cell, Grid, Shape, brick, field, hexhex, square


def board(cells: str, more: str = "") -> Profile:
    """A board without lamps whose Pico can scan up to 169 cells."""
    return read(
        f"""
        name = "made-up"
        title = "Made up"
        [cells]
        {cells}
        [scan]
        by = "pico"
        rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        columns = [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 26, 27, 28]
        [power]
        supply = 3
        {more}
        """,
        "made-up.toml",
    )


OAK = load_packaged("oak-8x8")
HEX = load_packaged("hex-61")
TEN = board('shape = "square"\nsize = 10')
WIDE = board('shape = "square"\ncolumns = 12\nrows = 8')
HEX_91 = board('shape = "hexhex"\nside = 6')
BRICK = board('shape = "brick"\nrows = 8\ncolumns = 8')
BOARDS = [OAK, HEX, TEN, WIDE, HEX_91, BRICK, board('shape = "square"\nsize = 8\nturned = 90')]
GAMES = [square(6), square(8), square(10), hexhex(4), hexhex(5), hexhex(6), field(6, 6), field(5, 9)]
BRICKS = [brick(4, 4), brick(8, 8), brick(7, 6)]
PAIRS = [(grid, board) for grid, board in product(GAMES + BRICKS, BOARDS) if len(grid.cells) <= len(board.grid.cells)]


def touching(found: Placement, board: Grid) -> dict[Cell, set[Cell]]:
    """For each cell of the game those whose cells on the board touch its own."""
    games = {there: cell for cell, there in found.cells.items()}
    return {
        cell: {games[near] for near in board.neighbours[there] if near in games} for cell, there in found.cells.items()
    }


def adjacency(grid: Grid) -> dict[Cell, set[Cell]]:
    return {cell: set(near) for cell, near in grid.neighbours.items()}


def offsets(found: Placement, grid: Grid, board: Grid) -> set[tuple[float, float]]:
    """In which directions the cells lie that touch in the game."""
    return {
        (
            round(board.places[found.cells[near]][0] - board.places[found.cells[cell]][0], 3),
            round(board.places[found.cells[near]][1] - board.places[found.cells[cell]][1], 3),
        )
        for cell in grid.cells
        for near in grid.neighbours[cell]
    }


# ---------------------------------------------------------------------------------- what always holds


@pytest.mark.parametrize(("grid", "profile"), PAIRS, ids=lambda value: value.name)
def test_every_game_that_is_small_enough_gets_a_switch_and_a_lamp_of_its_own_for_each_cell(
    grid: Grid, profile: Profile
) -> None:
    layout = fit(grid, profile)
    assert tuple(layout.switches) == grid.cells
    assert len(set(layout.switches.values())) == len(set(layout.lamps.values())) == len(grid.cells)
    assert set(layout.switches.values()) <= set(profile.layout.switches.values())
    cells = placement(grid, profile).cells
    assert all(layout.lamps[cell] == profile.layout.lamps[cells[cell]] for cell in grid.cells)


@pytest.mark.parametrize(("grid", "profile"), PAIRS, ids=lambda value: value.name)
def test_names_and_pieces_touch_exactly_as_in_the_game(grid: Grid, profile: Profile) -> None:
    found = placement(grid, profile)
    same = touching(found, profile.grid) == adjacency(grid)
    if found.kind in {Kind.NAMES, Kind.PIECE}:
        assert same
    if found.kind in {Kind.ROWS, Kind.READING}:
        assert not same


def test_too_few_cells_are_told_with_both_counts() -> None:
    with pytest.raises(ConfigError, match=r"^hex-61: the board has 61 cells and square-8x8 needs 64$"):
        fit(square(8), HEX)


# ---------------------------------------------------------------------------------------- same names


@pytest.mark.parametrize("size", [2, 6, 8])
def test_a_smaller_square_keeps_the_names_at_the_boards_edge(size: int) -> None:
    found = placement(square(size), OAK)
    assert found == Placement(Kind.NAMES, {cell: cell for cell in square(size).cells})


def test_a_game_of_the_boards_own_size_has_the_boards_own_layout() -> None:
    assert fit(square(8), OAK) == OAK.layout
    assert fit(hexhex(5), HEX) == HEX.layout


def test_the_smaller_hexagon_is_the_inner_part_of_the_larger() -> None:
    found = placement(hexhex(4), HEX)
    assert found.kind is Kind.NAMES
    outer = set(HEX.grid.cells) - set(found.cells.values())
    assert len(outer) == 24
    assert all(max(abs(int(q)), abs(int(r)), abs(int(q) + int(r))) == 4 for q, r in (cell.split(",") for cell in outer))


def test_names_alone_do_not_make_neighbours() -> None:
    found = placement(field(8, 8), BRICK)
    assert set(field(8, 8).cells) == set(BRICK.grid.cells)
    assert found.kind is Kind.ROWS


# ----------------------------------------------------------------------------------------- as a piece


def test_squares_with_other_names_stand_in_the_middle() -> None:
    found = placement(field(4, 6), OAK)
    assert found.kind is Kind.PIECE
    assert (found.cells[Cell("0,0")], found.cells[Cell("5,3")]) == ("b3", "g6")


def test_where_the_middle_lies_between_cells_the_lower_left_is_taken() -> None:
    found = placement(field(3, 5), OAK)
    assert (found.cells[Cell("0,0")], found.cells[Cell("4,2")]) == ("b3", "f5")


def test_a_field_that_is_too_wide_is_turned_and_not_mirrored() -> None:
    narrow = board('shape = "square"\ncolumns = 4\nrows = 9')
    found = placement(field(4, 9), narrow)
    assert found.kind is Kind.PIECE
    assert [found.cells[Cell(cell)] for cell in ("0,0", "8,0", "8,3", "0,3")] == ["d1", "d9", "a9", "a1"]


def test_bricks_lie_among_hexagons() -> None:
    found = placement(brick(4, 4), HEX)
    assert found.kind is Kind.PIECE
    assert touching(found, HEX.grid) == adjacency(brick(4, 4))


def test_a_small_hexagon_lies_among_bricks() -> None:
    found = placement(hexhex(3), BRICK)
    assert found.kind is Kind.PIECE
    assert touching(found, BRICK.grid) == adjacency(hexhex(3))


def test_a_turned_game_of_hexagons_keeps_its_neighbours() -> None:
    leaning = {f"{q}_{r}": [-r + (q + r) / 2, 0.866 * (q + r)] for q in range(6) for r in range(3)}
    narrow = board(f"shape = 'cells'\n[cells.places]\n{_lines(leaning)}")
    long = Grid("long", Shape.HEXAGON, *_rhombus(6, 3))
    found = placement(long, narrow)
    assert found.kind is Kind.PIECE
    assert found.cells == {cell: cell.replace(";", "_") for cell in long.cells}
    assert touching(found, narrow.grid) == adjacency(long)


def _lines(places: dict[str, list[float]]) -> str:
    return "\n".join(f"{cell} = {place}" for cell, place in places.items())


def _rhombus(columns: int, rows: int) -> tuple[dict[Cell, tuple[float, float]], dict[Cell, tuple[Cell, ...]]]:
    points = {(q, r): Cell(f"{q};{r}") for r in range(rows) for q in range(columns)}
    steps = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
    near = {
        c: tuple(points[q + x, r + y] for x, y in steps if (q + x, r + y) in points) for (q, r), c in points.items()
    }
    return {cell: (q + r / 2, 0.8660254037844386 * r) for (q, r), cell in points.items()}, near


# ------------------------------------------------------------------------------------------- sheared


@pytest.mark.parametrize("name", ["oak-8x8", "budget-8x8", "budget-8x8-expander"])
def test_herds_37_cells_are_column_q_plus_3_and_row_r_plus_3_of_the_square_board(name: str) -> None:
    found = placement(hexhex(4), load_packaged(name))
    assert found.kind is Kind.SHEARED
    assert len(found.cells) == 37
    for cell, there in found.cells.items():
        q, r = map(int, cell.split(","))
        assert there == f"{'abcdefgh'[q + 3]}{r + 3 + 1}"


def test_the_sheared_overlay_has_90_edges_and_they_are_herds() -> None:
    found, herd = placement(hexhex(4), OAK), hexhex(4)
    east_north_southeast = ((1, 0), (0, 1), (1, -1))
    edges = {
        frozenset((one, other))
        for one, other in product(herd.cells, repeat=2)
        for dx, dy in east_north_southeast
        if OAK.grid.places[found.cells[other]]
        == (OAK.grid.places[found.cells[one]][0] + dx, OAK.grid.places[found.cells[one]][1] + dy)
    }
    assert edges == {frozenset((cell, near)) for cell, nearby in herd.neighbours.items() for near in nearby}
    assert len(edges) == 90


def test_bricks_on_squares_are_sheared_too() -> None:
    found = placement(brick(4, 4), OAK)
    assert found.kind is Kind.SHEARED
    assert offsets(found, brick(4, 4), OAK.grid) == {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}


def test_61_hexagons_need_ten_by_ten_squares() -> None:
    found = placement(hexhex(5), TEN)
    assert found.kind is Kind.SHEARED
    assert found.cells[Cell("0,0")] == "e5"
    assert placement(hexhex(5), OAK).kind is Kind.READING


def test_squares_on_hexagons_are_slanted() -> None:
    found = placement(square(5), HEX)
    assert found.kind is Kind.SLANTED
    assert found.cells[Cell("c3")] == "0,0"
    assert offsets(found, square(5), HEX.grid) == {(1, 0), (-1, 0), (0.5, 0.866), (-0.5, -0.866)}


# --------------------------------------------------------------------------------------- row by row


def test_rows_stand_in_the_middle_of_rows_one_above_the_other() -> None:
    found = placement(square(6), HEX)
    assert found.kind is Kind.ROWS
    assert [found.cells[Cell(cell)] for cell in ("a1", "f1", "a2", "f2", "a6", "f6")] == [
        *("-1,-3", "4,-3"),
        *("-2,-2", "3,-2"),
        *("-4,2", "1,2"),
    ]


def test_rows_of_bricks_fill_the_rows_of_a_square_board() -> None:
    found = placement(brick(8, 8), OAK)
    assert found.kind is Kind.ROWS
    assert [found.cells[Cell(cell)] for cell in ("0,0", "7,0", "0,7", "7,7")] == ["a1", "h1", "a8", "h8"]


def test_a_board_without_a_lattice_is_filled_row_by_row() -> None:
    leaning = {f"{'abc'[x]}{y + 1}": [x + 0.15 * y, y] for y in range(3) for x in range(3)}
    found = placement(field(2, 3), board(f"shape = 'cells'\n[cells.places]\n{_lines(leaning)}"))
    assert found.kind is Kind.ROWS
    assert list(found.cells.values()) == ["a1", "b1", "c1", "a2", "b2", "c2"]
    narrow = placement(field(3, 1), board(f"shape = 'cells'\n[cells.places]\n{_lines(leaning)}"))
    assert list(narrow.cells.values()) == ["b1", "b2", "b3"]


# ----------------------------------------------------------------------------------- in reading order


def test_a_game_of_another_outline_is_laid_out_as_one_reads() -> None:
    found = placement(hexhex(5), OAK)
    assert found.kind is Kind.READING
    assert [found.cells[Cell(cell)] for cell in ("-4,4", "-3,4", "-2,3", "4,-4")] == ["a8", "b8", "h8", "e1"]


# ------------------------------------------------------------------------------------------ overlays


OVERLAY = """
[overlays.square-2x2]
a1 = "c3"
b1 = "c4"
a2 = "d3"
b2 = "d4"
"""


def test_the_boards_own_overlay_comes_before_everything_derived() -> None:
    profile = board('shape = "square"\nsize = 8', OVERLAY)
    found = placement(square(2), profile)
    assert found.kind is Kind.OVERLAY
    assert found.cells == {"a1": "c3", "b1": "c4", "a2": "d3", "b2": "d4"}
    assert fit(square(2), profile).switches[Cell("a1")] == profile.layout.switches[Cell("c3")]
    assert placement(square(3), profile).kind is Kind.NAMES


def test_an_overlay_for_the_other_grid_of_the_name_is_refused_with_both_counts() -> None:
    profile = board('shape = "square"\nsize = 8', OVERLAY)
    with pytest.raises(
        ConfigError,
        match=r"^made-up: overlays\.square-2x2: the game has 4 cells, the overlay 4; 0,0 is missing$",
    ):
        fit(field(2, 2), profile)


def test_an_overlay_with_a_cell_too_many_is_refused() -> None:
    grid = Grid("square-2x2", Shape.SQUARE, {Cell("a1"): (0, 0)}, {Cell("a1"): ()})
    with pytest.raises(ConfigError, match="the game has 1 cell, the overlay 4; a2 belongs to no cell of it"):
        fit(grid, board('shape = "square"\nsize = 8', OVERLAY))


# --------------------------------------------------------------------------------------- for people


def test_people_are_told_how_a_game_lies_on_the_board() -> None:
    assert why(square(6), OAK) == "square-6x6 lies on oak-8x8 under the same names (a1 is the board's a1)"
    assert why(hexhex(4), OAK) == (
        "hexhex-4 lies on oak-8x8 as a sheared overlay: neighbours lie E, W, N, S, SE and NW of a cell "
        "(0,-3 is the board's d1)"
    )


def test_every_kind_of_fit_has_its_own_words() -> None:
    assert len({kind.value for kind in Kind}) == len(Kind) == 7


def test_a_turned_board_is_the_same_to_the_player_and_another_to_the_wires() -> None:
    straight = board('shape = "square"\nsize = 8')
    quarter = board('shape = "square"\nsize = 8\nturned = 90')
    assert placement(hexhex(4), quarter) == placement(hexhex(4), straight)
    assert fit(square(6), straight).switches[Cell("a1")] == 0
    assert fit(square(6), quarter).switches[Cell("a1")] == 56


def test_every_packaged_board_takes_its_games() -> None:
    for name in packaged():
        profile = load_packaged(name)
        grid = hexhex(5) if name == "hex-61" else square(8)
        assert fit(grid, profile) == profile.layout
