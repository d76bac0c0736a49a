"""The words of a seat: each fold of a race has its own, and one more costs the same however many there are."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

__all__ = ["Words"]


class Words(Struct, frozen=True, eq=False, gc=False):
    """Words in order, which never change. Those that come of one another share a list, of which each is a beginning.

    A tuple made anew for each word would cost more with each: where undos are free a lane has no end.
    """

    _shared: list[str] = field(default_factory=list)
    count: int = 0
    """How many they are."""

    def then(self, word: str) -> Words:
        """Return these and one more."""
        shared, count = self._shared, self.count
        if not count:
            shared = [word]
        elif len(shared) == count:
            shared.append(word)
        elif shared[count] != word:  # Another fold has gone on from here in its own way.
            shared = [*shared[:count], word]
        return Words(shared, count + 1)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[str]:
        return iter(self._shared[: self.count])

    def __getitem__(self, at: int) -> str:
        if not 0 <= at < self.count:
            raise IndexError(f"expected one of {self.count} words, found number {at}")
        return self._shared[at]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Words) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Words({', '.join(self)})"
