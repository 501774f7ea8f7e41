//! Three bits for each state: two for the depth of its layer modulo 3, or not visited, and one that is
//! set while it waits.
//!
//! The depth modulo 3 is enough to find the way back, since a step leads at most one layer deeper (see `path`). It
//! is known from the enumeration of permutation groups (G. Cooperman and L. Finkelstein, "New methods for
//! using Cayley graphs in interconnection networks", Discrete Applied Mathematics 37/38, 1992). The third
//! bit tells the current layer from the older ones of its colour.

/// The colour of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour {
    /// All bits set if the colour has the low bit, else none.
    low: u64,
    /// The same for the high bit.
    high: u64,
}

impl Colour {
    /// The colour of the layer at a depth.
    pub(super) const fn of_depth(depth: u32) -> Self {
        let (low, high) = match depth % 3 {
            0 => (u64::MAX, 0),
            1 => (0, u64::MAX),
            _ => (u64::MAX, u64::MAX),
        };
        Self { low, high }
    }
}

/// The low and the high bits of the colours of 64 states, and the bits of those that wait. Zeros stand for
/// states that have not been visited.
pub(super) type Planes = [u64; 3];

/// The colours of the 64 states of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colours(pub(super) Planes);

impl Colours {
    /// The states of a colour.
    #[inline]
    pub(super) const fn of(self, colour: Colour) -> u64 {
        !((self.0[0] ^ colour.low) | (self.0[1] ^ colour.high))
    }

    /// The states that have been visited.
    #[inline]
    pub(super) const fn visited(self) -> u64 {
        self.0[0] | self.0[1]
    }

    /// Gives a colour to states that have not been visited. They wait from now on.
    #[inline]
    pub(super) const fn paint(&mut self, bits: u64, colour: Colour) {
        self.0[0] |= bits & colour.low;
        self.0[1] |= bits & colour.high;
        self.0[2] |= bits;
    }

    /// Takes the states of a colour that wait.
    #[inline]
    pub(super) const fn take_waiting(&mut self, colour: Colour) -> u64 {
        let waiting = self.0[2] & self.of(colour);
        self.0[2] ^= waiting;
        waiting
    }
}

#[cfg(test)]
mod tests {
    use super::{Colour, Colours};

    #[test]
    fn a_state_keeps_its_colour_and_waits_once() {
        let mut word = Colours([0; 3]);
        for depth in 0..6 {
            assert_eq!(word.visited(), (1 << depth) - 1);
            word.paint(1 << depth, Colour::of_depth(depth));
        }
        for depth in 0..3 {
            let both = 1 << depth | 1 << (depth + 3);
            assert_eq!(word.of(Colour::of_depth(depth)), both);
            assert_eq!(word.take_waiting(Colour::of_depth(depth)), both);
            assert_eq!(word.take_waiting(Colour::of_depth(depth)), 0);
            assert_eq!(word.of(Colour::of_depth(depth)), both);
        }
    }
}
