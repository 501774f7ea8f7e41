//! How much is kept of an order: a lane, and perhaps some bits above it.

use std::fmt::Debug;

use super::lanes::Lane;

/// Some bits of a number.
pub(super) trait Part: Copy + Eq + Debug {
    /// Bytes of it.
    const BYTES: usize;

    /// The last bits of a number.
    fn of(number: u64) -> Self;

    /// As a number.
    fn number(self) -> u64;
}

/// No bits.
impl Part for () {
    const BYTES: usize = 0;

    #[inline(always)]
    fn of(_number: u64) {}

    #[inline(always)]
    fn number(self) -> u64 {
        0
    }
}

macro_rules! part {
    ($($unsigned:ty),*) => {$(
        impl Part for $unsigned {
            const BYTES: usize = size_of::<Self>();

            #[inline(always)]
            fn of(number: u64) -> Self {
                number as Self
            }

            #[inline(always)]
            fn number(self) -> u64 {
                self as u64
            }
        }
    )*};
}

part!(u8, u16, u32, u64);

/// What is kept of an order.
pub(super) trait Kept {
    /// Compared first.
    type Lane: Lane;
    /// The bits above those of the lane, compared where the lane is equal.
    type High: Part;
    /// Which one it is.
    const WIDTH: Width;
    /// Bits of both.
    const BITS: u32 = 8 * (Self::Lane::BYTES + Self::High::BYTES) as u32;

    /// Divides the last bits of a number.
    #[inline(always)]
    fn divide(number: u64) -> (Self::Lane, Self::High) {
        let above = if Self::High::BYTES == 0 {
            0
        } else {
            number >> (8 * Self::Lane::BYTES)
        };
        (Self::Lane::of(number), Self::High::of(above))
    }

    /// Puts the bits together again.
    #[inline(always)]
    fn join(lane: Self::Lane, high: Self::High) -> u64 {
        if Self::High::BYTES == 0 {
            lane.number()
        } else {
            lane.number() | high.number() << (8 * Self::Lane::BYTES)
        }
    }
}

/// The kinds of [`Kept`] as a value, narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Bits16,
    Bits32,
    Bits40,
    Bits64,
}

/// 16 bits of an order.
pub(super) enum Bits16 {}
/// 32 bits of an order.
pub(super) enum Bits32 {}
/// 40 bits of an order.
pub(super) enum Bits40 {}
/// The whole order.
pub(super) enum Bits64 {}

impl Kept for Bits16 {
    type Lane = u16;
    type High = ();
    const WIDTH: Width = Width::Bits16;
}

impl Kept for Bits32 {
    type Lane = u32;
    type High = ();
    const WIDTH: Width = Width::Bits32;
}

impl Kept for Bits40 {
    type Lane = u32;
    type High = u8;
    const WIDTH: Width = Width::Bits40;
}

impl Kept for Bits64 {
    type Lane = u64;
    type High = ();
    const WIDTH: Width = Width::Bits64;
}
