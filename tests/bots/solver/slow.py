"""A slow and obvious search of Golf through the engine's own boards, to check the kernels against."""

from engine.golf.board import GolfBoard
from engine.golf.moves import MOVES


def fewest_left(start: GolfBoard) -> int:
    """Try every move from every position that can be reached; the fewest cards left anywhere."""
    seen = {_key(start)}
    boards = [start]
    fewest = start.left
    while boards:
        board = boards.pop()
        fewest = min(fewest, board.left)
        for word in board.legal():
            after = board.after(MOVES[word])
            if (key := _key(after)) not in seen:
                seen.add(key)
                boards.append(after)
    return fewest


def _key(board: GolfBoard) -> tuple[tuple[int, ...], int, int]:
    return tuple(map(len, board.columns)), len(board.stock), board.waste[-1] if board.waste else -1
