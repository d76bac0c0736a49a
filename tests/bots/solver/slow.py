"""A slow and obvious search of Golf through the engine's own boards, to check the kernels against."""

from engine.golf.board import GolfBoard
from engine.golf.moves import MOVES


def best_end(start: GolfBoard) -> tuple[int, int]:
    """Try every move from every position that can be reached; the fewest cards left, and the fewest draws to there."""
    seen = {_key(start)}
    boards = [start]
    best = start.left, 0
    while boards:
        board = boards.pop()
        best = min(best, (board.left, len(start.stock) - len(board.stock)))
        for word in board.legal():
            after = board.after(MOVES[word])
            if (key := _key(after)) not in seen:
                seen.add(key)
                boards.append(after)
    return best


def _key(board: GolfBoard) -> tuple[tuple[int, ...], int, int]:
    return tuple(map(len, board.columns)), len(board.stock), board.waste[-1] if board.waste else -1
