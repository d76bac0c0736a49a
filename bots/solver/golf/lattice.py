"""Exhaustive search of Golf, stage by stage: everything that can be reached with 0, 1, 2… stock cards drawn.

A state is the packed heights of the columns (three bits each), where the waste's card came from (column 0..6, or 7 for
the start and the stock) and the number of stock cards drawn.

Where draws are free, a state that was reached with fewer draws can do all that it can do with more: it draws the
difference just before the next draw of the other's line. So each pair (heights, last column) is visited once, in the
first stage that reaches it, and heights wait only for the next stock card that fits one of their free cards. Where
draws must wait this does not hold, and a pair is visited again in every stage that reaches it.

Heights are not followed up where a count shows that too many cards must stay (`must_stay`): every card that is removed
goes onto a neighbour of its rank, and no two onto the same.

Each search is one loop over plain numbers: small functions would cost more than what they do.
"""

from __future__ import annotations

from bots.solver.golf.workspace import (
    ACE_ON_KING,
    BEST_AT,
    BEST_LEFT,
    CLEARED,
    EXHAUSTED,
    FULL,
    GOAL,
    HEAD,
    JOINS,
    KING_ON_ACE,
    POOL,
    QUEEN_ON_KING,
    RUNNING,
    STAGE,
    STATUS,
    STOCK,
    TAIL,
    UNSEEN,
    WASTE,
    WIDE,
    Workspace,
)
from bots.solver.jit import compiled


@compiled
def must_stay(columns: int, stock: int, waste: int, joins: int) -> int:
    """Count cards that must stay, given how many of each rank are in the columns, in the stock and on the waste.

    Of any set of ranks no more cards can be removed than there are cards of neighbouring ranks, and jokers, to put them
    on. Walks through the ranks by twos, so that what a rank goes onto lies between it and those next to it on the walk,
    and keeps the best set with and without the present rank. The ring of ranks is cut between queen and ace.
    """
    onto = columns + stock + waste
    most, without, chosen = 0, 0, -99
    between = (onto >> 52) & 15 if joins & ACE_ON_KING else 0
    for step in range(13):
        rank = 2 * step + 1 if step < 7 else 2 * step - 12
        if rank == 2 and not joins & KING_ON_ACE:
            most, without, chosen = max(without, chosen), 0, -99
            between = (onto >> 4) & 15
        unchosen = without
        without = max(without, chosen)
        chosen = max(chosen, unchosen - between) + ((columns >> (4 * rank)) & 15)
        if rank == 12:
            between = (onto >> 52) & 15 if joins & QUEEN_ON_KING else 0
        elif rank == 13:
            between = (onto >> 4) & 15 if joins & KING_ON_ACE else 0
        else:
            between = (onto >> (4 * rank + 4)) & 15
        chosen -= between
    return most + max(without, chosen) - (onto & 15)


@compiled
def search_free(ws: Workspace, nodes: int) -> None:  # noqa: C901
    """Search on for so many states, with draws allowed at any time; `mark[STATUS]` tells how it stands.

    stage[… 7] is the first stage that reached these heights: then their cards start to wait for the stock.
    """
    head, tail, pool, stage = ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE]
    best_left, n, status = ws.mark[BEST_LEFT], ws.mark[STOCK], ws.mark[STATUS]
    goal = min(ws.mark[GOAL], best_left)
    joins = ws.mark[JOINS]
    stop = head + nodes
    room = min(len(ws.states), len(ws.pool)) - 8
    while status == RUNNING and head < stop:
        if head == tail:
            stage += 1
            if stage > n:
                status = EXHAUSTED
                break
            entry = ws.waiting[stage]
            while entry >= 0:
                parent = ws.pool[entry] >> 3
                column = ws.pool[entry] & 7
                state = (((ws.states[parent] >> 3) - (1 << (3 * column))) << 3) | column
                if ws.stage[state] == UNSEEN:
                    if tail >= room:
                        status = FULL
                        break
                    ws.stage[state] = stage
                    ws.states[tail] = state
                    ws.parents[tail] = parent
                    ws.stages[tail] = stage
                    tail += 1
                entry = ws.pool_next[entry]
            continue
        if tail >= room or pool >= room:
            status = FULL
            break
        state = ws.states[head]
        packed = state >> 3
        source = state & 7
        if ws.stage[state | 7] == UNSEEN:
            ws.stage[state | 7] = stage
            left, holds = 0, 0
            for k in range(7):
                height = (packed >> (3 * k)) & 7
                left += height
                holds += ws.columns_hold[8 * k + height]
            if left < best_left:
                best_left = left
                goal = min(goal, left)
                ws.mark[BEST_AT] = head
                if left == 0:
                    status = CLEARED
            stay = must_stay(holds, ws.stock_holds[stage], 0, joins)
            ws.stranded[packed] = stay
            if stay < goal:
                for k in range(7):
                    height = (packed >> (3 * k)) & 7
                    soonest = ws.wait[(8 * k + height) * WIDE + stage]
                    if soonest <= n and ws.stage[((packed - (1 << (3 * k))) << 3) | k] == UNSEEN:
                        ws.pool[pool] = (head << 3) | k
                        ws.pool_next[pool] = ws.waiting[soonest]
                        ws.waiting[soonest] = pool
                        pool += 1
        # The waste's card takes one card more than the heights alone, so it counts only where that decides.
        stay = ws.stranded[packed]
        waste = ws.mark[WASTE]
        accept = ws.drawn[0]
        if source < 7:
            card = 8 * source + ((packed >> (3 * source)) & 7)
            accept = ws.accept[card]
            waste = ws.columns_hold[card + 1] - ws.columns_hold[card]
        if stay == goal:
            holds = 0
            for k in range(7):
                holds += ws.columns_hold[8 * k + ((packed >> (3 * k)) & 7)]
            stay += must_stay(holds, ws.stock_holds[stage], waste, joins) >= goal
        if stay > goal:
            head += 1
            continue
        for k in range(7):
            if accept & ws.face[8 * k + ((packed >> (3 * k)) & 7)]:
                state = ((packed - (1 << (3 * k))) << 3) | k
                if ws.stage[state] == UNSEEN:
                    ws.stage[state] = stage
                    ws.states[tail] = state
                    ws.parents[tail] = head
                    ws.stages[tail] = stage
                    tail += 1
        head += 1
    ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE] = head, tail, pool, stage
    ws.mark[BEST_LEFT], ws.mark[STATUS] = best_left, status


@compiled
def search_waiting(ws: Workspace, nodes: int, empty_waste: bool) -> None:  # noqa: C901
    """Search on for so many states, with a draw allowed only when no free card fits, or on an empty waste.

    stage[… 7] is the last stage whose draw was taken at these heights.
    """
    head, tail, pool, stage = ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE]
    best_left, n, status = ws.mark[BEST_LEFT], ws.mark[STOCK], ws.mark[STATUS]
    stop = head + nodes
    room = min(len(ws.states), len(ws.pool)) - 8
    while status == RUNNING and head < stop:
        if head == tail:
            stage += 1
            if stage > n or ws.waiting[stage] < 0:
                status = EXHAUSTED
                break
            entry = ws.waiting[stage]
            while entry >= 0:
                if tail >= room:
                    status = FULL
                    break
                parent = ws.pool[entry]
                ws.states[tail] = ws.states[parent] | 7
                ws.parents[tail] = parent
                ws.stages[tail] = stage
                tail += 1
                entry = ws.pool_next[entry]
            continue
        if tail >= room or pool >= room:
            status = FULL
            break
        stage = ws.stages[head]
        state = ws.states[head]
        packed = state >> 3
        source = state & 7
        if source == 7:
            accept = ws.drawn[stage]
        else:
            accept = ws.accept[8 * source + ((packed >> (3 * source)) & 7)]
        stuck = True
        left = 0
        for k in range(7):
            height = (packed >> (3 * k)) & 7
            left += height
            if accept & ws.face[8 * k + height]:
                stuck = False
                state = ((packed - (1 << (3 * k))) << 3) | k
                if ws.stage[state] != stage:
                    ws.stage[state] = stage
                    ws.states[tail] = state
                    ws.parents[tail] = head
                    ws.stages[tail] = stage
                    tail += 1
        if left < best_left:
            best_left = left
            ws.mark[BEST_AT] = head
            if left == 0:
                status = CLEARED
        if (stuck or (empty_waste and head == 0)) and stage < n and ws.stage[(packed << 3) | 7] != stage + 1:
            ws.stage[(packed << 3) | 7] = stage + 1
            ws.pool[pool] = head
            ws.pool_next[pool] = ws.waiting[stage + 1]
            ws.waiting[stage + 1] = pool
            pool += 1
        head += 1
    ws.mark[HEAD], ws.mark[TAIL], ws.mark[POOL], ws.mark[STAGE] = head, tail, pool, stage
    ws.mark[BEST_LEFT], ws.mark[STATUS] = best_left, status
