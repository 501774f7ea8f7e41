//! All pushes of a position at once, for movement rules that push one box by one cell.

use super::encoding::CellSet;
use super::shifts::{Region, Shifts};
use super::{Cell, Direction};

/// The pushes of a position, as sets of boxes for each direction.
#[derive(Debug)]
pub(super) struct PushSets<const W: usize> {
    /// Cells without a box.
    free: CellSet<W>,
    /// Where the player can walk.
    region: Region<W>,
    /// The boxes that can be pushed in each direction.
    pushable: [CellSet<W>; 4],
    /// Cells that a player who comes there by a push joins to free floor out of reach before, for a
    /// horizontal push and for a vertical one: the floor lies beside the line of the push. Only looked for
    /// if some of that floor comes before the region's own cells.
    joining: [CellSet<W>; 2],
    /// Those of the pushable boxes whose push may cut the region in two or join it to another part.
    unsure: [CellSet<W>; 4],
    /// The smallest cell of the region.
    smallest: Cell,
    /// The smallest cell of the rest of the region.
    second: Cell,
}

/// What lies around the cells: on which sides, and at which corners.
///
/// A pair is named after a side and a corner next to it: `up_left` holds the cells that have a free cell
/// above and another to the left of that one.
struct Around<const W: usize> {
    left: CellSet<W>,
    up: CellSet<W>,
    right: CellSet<W>,
    down: CellSet<W>,
    left_up: CellSet<W>,
    left_down: CellSet<W>,
    up_left: CellSet<W>,
    up_right: CellSet<W>,
    right_up: CellSet<W>,
    right_down: CellSet<W>,
    down_left: CellSet<W>,
    down_right: CellSet<W>,
}

impl<const W: usize> Around<W> {
    #[inline]
    fn new<const N: usize>(shifts: &Shifts<W, N>, free: &CellSet<W>) -> Self {
        let left = shifts.right_of(free);
        let right = shifts.left_of(free);
        let up = shifts.below(free);
        let down = shifts.above(free);
        Self {
            left_up: shifts.right_of(&free.intersection(&up)),
            left_down: shifts.right_of(&free.intersection(&down)),
            right_up: shifts.left_of(&free.intersection(&up)),
            right_down: shifts.left_of(&free.intersection(&down)),
            up_left: shifts.below(&free.intersection(&left)),
            up_right: shifts.below(&free.intersection(&right)),
            down_left: shifts.above(&free.intersection(&left)),
            down_right: shifts.above(&free.intersection(&right)),
            left,
            up,
            right,
            down,
        }
    }

    /// The cells that may cut the region when a box comes onto them in each direction.
    #[inline]
    fn cutting(&self) -> [CellSet<W>; 4] {
        let (left, up, right, down) = (&self.left, &self.up, &self.right, &self.down);
        [
            cuts(
                [down, left, up],
                [
                    &self.down_right,
                    &self.down_left,
                    &self.up_left,
                    &self.up_right,
                ],
            ),
            cuts(
                [left, up, right],
                [
                    &self.left_down,
                    &self.left_up,
                    &self.right_up,
                    &self.right_down,
                ],
            ),
            cuts(
                [up, right, down],
                [
                    &self.up_left,
                    &self.up_right,
                    &self.down_right,
                    &self.down_left,
                ],
            ),
            cuts(
                [right, down, left],
                [
                    &self.right_up,
                    &self.right_down,
                    &self.left_down,
                    &self.left_up,
                ],
            ),
        ]
    }
}

/// The cells whose free sides are not all linked to each other by the free cells around them, when a box
/// comes onto them from behind and leaves the cell behind free.
///
/// Given are the cells whose left, front and right side is free, and those that have the free pairs
/// left and behind, left and ahead, right and ahead, right and behind, as [`Around`] has them.
///
/// Going around clockwise, a chain of linked sides ends in a side that is not linked to the next one. With
/// at most one end there is one chain at most, and a box there cuts nothing in two.
#[inline]
fn cuts<const W: usize>(
    [left, ahead, right]: [&CellSet<W>; 3],
    [behind_left, left_ahead, right_ahead, right_behind]: [&CellSet<W>; 4],
) -> CellSet<W> {
    let end_left = left.difference(&left_ahead.intersection(ahead));
    let end_ahead = ahead.difference(right_ahead);
    let end_right = right.difference(right_behind);
    let any = end_left.union(&end_ahead).union(&end_right);
    let two = end_left
        .intersection(&end_ahead)
        .union(&end_right.intersection(&end_left.union(&end_ahead)));
    two.union(&any.difference(behind_left))
}

impl<const W: usize> PushSets<W> {
    /// The pushes of the position with these boxes, whose region has `smallest` as its smallest cell.
    #[inline]
    pub(super) fn new<const N: usize>(
        shifts: &Shifts<W, N>,
        boxes: &CellSet<W>,
        smallest: Cell,
    ) -> Self {
        let free = shifts.free(boxes);
        let region = shifts.within(&free).region(smallest);
        let mut rest = region.cells;
        rest.remove(smallest);
        let second = rest.first().unwrap_or(smallest);
        let around = Around::new(shifts, &free);
        let pushable = [
            shifts.left_of(&region.cells).intersection(&around.left),
            shifts.above(&region.cells).intersection(&around.up),
            shifts.right_of(&region.cells).intersection(&around.right),
            shifts.below(&region.cells).intersection(&around.down),
        ]
        .map(|cells| cells.intersection(boxes));
        let joining = joining(shifts, &free.difference(&region.cells), second);
        let [left, up, right, down] = around
            .cutting()
            .map(|cells| cells.intersection(&region.cells));
        let unsure = [
            shifts
                .right_of(&left)
                .union(&joining[0])
                .intersection(&pushable[0]),
            shifts
                .below(&up)
                .union(&joining[1])
                .intersection(&pushable[1]),
            shifts
                .left_of(&right)
                .union(&joining[0])
                .intersection(&pushable[2]),
            shifts
                .above(&down)
                .union(&joining[1])
                .intersection(&pushable[3]),
        ];
        Self {
            free,
            region,
            pushable,
            joining,
            unsure,
            smallest,
            second,
        }
    }

    /// The directions in which a box can be pushed: bit `d` for the direction with index `d`.
    #[inline]
    pub(super) fn directions(&self, from: Cell) -> usize {
        let bits = self.pushable.iter().enumerate();
        bits.map(|(index, boxes)| usize::from(boxes.contains(from)) << index)
            .sum()
    }

    /// The boxes whose push in a direction may cut the region in two or join it to another part.
    #[inline]
    pub(super) fn unsure(&self, direction: Direction) -> CellSet<W> {
        self.unsure[direction.index()]
    }

    /// The smallest cell of the region after a push that neither cuts nor joins.
    #[inline]
    pub(super) fn smallest_after(&self, from: Cell, to: Cell) -> Cell {
        let kept = if to == self.smallest {
            self.second
        } else {
            self.smallest
        };
        kept.min(from)
    }

    /// The smallest cell of the region after any push, found by walking on from the player's new cell.
    ///
    /// If the push joins nothing of interest, the search ends at a cell known to be linked to the smallest.
    /// If it may, only the lowest of all free cells settles the matter before the region is complete.
    #[inline]
    pub(super) fn smallest_by_search<const N: usize>(
        &self,
        shifts: &Shifts<W, N>,
        from: Cell,
        to: Cell,
        direction: Direction,
    ) -> Cell {
        let mut free = self.free;
        free.insert(from);
        free.remove(to);
        let goal = if self.joining[direction.index() % 2].contains(from) {
            CellSet::single(free.first().unwrap_or(from))
        } else if to == self.smallest {
            CellSet::single(self.second)
        } else {
            self.region.before(to)
        };
        let reached = shifts.within(&free).fill(from, &goal);
        let met = !reached.intersection(&goal).is_empty();
        let region = if met { reached.union(&goal) } else { reached };
        region.first().unwrap_or(from)
    }
}

/// Next to which cells there is floor `elsewhere`, above or below them and beside them. Nowhere, if none of
/// that floor comes before the `second` cell of the region: then it cannot hold the smallest cell.
#[inline]
fn joining<const W: usize, const N: usize>(
    shifts: &Shifts<W, N>,
    elsewhere: &CellSet<W>,
    second: Cell,
) -> [CellSet<W>; 2] {
    if elsewhere.first().is_none_or(|cell| cell > second) {
        return [CellSet::EMPTY; 2];
    }
    let above_below = shifts.above(elsewhere).union(&shifts.below(elsewhere));
    let beside = shifts.left_of(elsewhere).union(&shifts.right_of(elsewhere));
    [above_below, beside]
}
