//! Run-length notation, as boards and solutions use it: `3r` is `rrr`, `2(dl)` is `dldl`, and
//! groups nest.
//!
//! The expansion is bounded, so that a few hostile characters cannot fill the memory.

use thiserror::Error;

/// One element of a run-length text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<T> {
    /// A digit of a count, 0 to 9.
    Digit(u32),
    /// `(`
    Open,
    /// `)`
    Close,
    /// What is repeated.
    Symbol(T),
}

impl Token<char> {
    /// Sorts a character into count, bracket or symbol.
    pub(crate) fn of(symbol: char) -> Self {
        match (symbol, symbol.to_digit(10)) {
            ('(', _) => Self::Open,
            (')', _) => Self::Close,
            (_, Some(digit)) => Self::Digit(digit),
            (_, None) => Self::Symbol(symbol),
        }
    }
}

/// Why a run-length text cannot be expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Fault {
    /// A count that nothing follows.
    #[error("a count with nothing to repeat; expected a symbol or '(' after it")]
    DanglingCount,
    /// A count of zero.
    #[error("a count of 0; expected at least 1")]
    ZeroCount,
    /// A bracket that is never closed.
    #[error("'(' without its ')'")]
    Unclosed,
    /// A bracket that was never opened.
    #[error("')' without its '('")]
    Unopened,
    /// Nothing between the brackets.
    #[error("an empty group; expected something between '(' and ')'")]
    EmptyGroup,
    /// More symbols than the limit.
    #[error("expands to more than {limit} symbols")]
    TooLong {
        /// Most symbols accepted.
        limit: usize,
    },
}

/// A [`Fault`] and the position of the token at which it showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FaultAt<P> {
    pub(crate) position: P,
    pub(crate) fault: Fault,
}

/// Expands tokens, each given with its position, to at most `limit` symbols.
///
/// Time and memory are linear in the number of tokens plus the number of symbols.
///
/// # Errors
/// The first [`Fault`], at the position of its count or bracket.
pub(crate) fn expand<P: Copy, T: Copy>(
    tokens: impl IntoIterator<Item = (P, Token<T>)>,
    limit: usize,
) -> Result<Vec<T>, FaultAt<P>> {
    let mut expansion = Expansion {
        symbols: Vec::new(),
        groups: Vec::new(),
        count: None,
        limit,
    };
    for (position, token) in tokens {
        expansion.take(position, token)?;
    }
    expansion.finish()
}

/// A group that is still open.
struct Group<P> {
    opened: P,
    count: usize,
    start: usize,
}

struct Expansion<P, T> {
    symbols: Vec<T>,
    groups: Vec<Group<P>>,
    /// The count being read, and where it began.
    count: Option<(P, usize)>,
    limit: usize,
}

impl<P: Copy, T: Copy> Expansion<P, T> {
    fn take(&mut self, position: P, token: Token<T>) -> Result<(), FaultAt<P>> {
        match token {
            Token::Digit(digit) => {
                let (start, count) = self.count.unwrap_or((position, 0));
                // Saturation keeps a count of any length above every limit.
                let count = count.saturating_mul(10).saturating_add(digit as usize);
                self.count = Some((start, count));
                Ok(())
            }
            Token::Symbol(symbol) => {
                let (position, count) = self.take_count(position)?;
                let start = self.symbols.len();
                self.symbols.push(symbol);
                self.repeat(start, count, position)
            }
            Token::Open => {
                let (opened, count) = self.take_count(position)?;
                let start = self.symbols.len();
                self.groups.push(Group {
                    opened,
                    count,
                    start,
                });
                Ok(())
            }
            Token::Close => self.close(position),
        }
    }

    /// The count in front of a symbol or group, 1 if there is none.
    fn take_count(&mut self, position: P) -> Result<(P, usize), FaultAt<P>> {
        match self.count.take() {
            None => Ok((position, 1)),
            Some((position, 0)) => Err(fault(position, Fault::ZeroCount)),
            Some(counted) => Ok(counted),
        }
    }

    fn close(&mut self, position: P) -> Result<(), FaultAt<P>> {
        if let Some((start, _)) = self.count {
            return Err(fault(start, Fault::DanglingCount));
        }
        let group = self.groups.pop().ok_or(fault(position, Fault::Unopened))?;
        if self.symbols.len() == group.start {
            return Err(fault(group.opened, Fault::EmptyGroup));
        }
        self.repeat(group.start, group.count, group.opened)
    }

    /// Makes `count` copies of the symbols from `start` on, of which one is there.
    fn repeat(&mut self, start: usize, count: usize, position: P) -> Result<(), FaultAt<P>> {
        let end = self.symbols.len();
        let total = (end - start).saturating_mul(count).saturating_add(start);
        if total > self.limit {
            let limit = self.limit;
            return Err(fault(position, Fault::TooLong { limit }));
        }
        for _ in 1..count {
            self.symbols.extend_from_within(start..end);
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<T>, FaultAt<P>> {
        if let Some((position, _)) = self.count {
            return Err(fault(position, Fault::DanglingCount));
        }
        match self.groups.last() {
            Some(group) => Err(fault(group.opened, Fault::Unclosed)),
            None => Ok(self.symbols),
        }
    }
}

const fn fault<P>(position: P, fault: Fault) -> FaultAt<P> {
    FaultAt { position, fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, limit: usize) -> Result<String, (usize, Fault)> {
        let tokens = text
            .chars()
            .enumerate()
            .map(|(position, symbol)| (position, Token::of(symbol)));
        expand(tokens, limit)
            .map(|symbols| symbols.into_iter().collect())
            .map_err(|error| (error.position, error.fault))
    }

    #[test]
    fn counts_repeat_the_next_symbol() {
        assert_eq!(expanded("3r2Ud12l", 99), Ok("rrrUUdllllllllllll".into()));
    }

    #[test]
    fn groups_repeat_and_nest() {
        assert_eq!(expanded("2(a2(bc)d)", 99), Ok("abcbcdabcbcd".into()));
        assert_eq!(expanded("(ab)c", 99), Ok("abc".into()));
    }

    #[test]
    fn every_fault_names_its_position() {
        assert_eq!(expanded("ab3", 99), Err((2, Fault::DanglingCount)));
        assert_eq!(expanded("2(a34)", 99), Err((3, Fault::DanglingCount)));
        assert_eq!(expanded("a0b", 99), Err((1, Fault::ZeroCount)));
        assert_eq!(expanded("a(b(c)", 99), Err((1, Fault::Unclosed)));
        assert_eq!(expanded("ab)", 99), Err((2, Fault::Unopened)));
        assert_eq!(expanded("a12()", 99), Err((1, Fault::EmptyGroup)));
    }

    #[test]
    fn the_limit_is_the_largest_accepted_length() {
        assert_eq!(expanded("3a", 3), Ok("aaa".into()));
        let limit = 3;
        assert_eq!(expanded("4a", limit), Err((0, Fault::TooLong { limit })));
        assert_eq!(expanded("aaaa", limit), Err((3, Fault::TooLong { limit })));
    }

    #[test]
    fn a_hostile_count_is_refused_before_it_is_expanded() {
        let limit = 1000;
        let hostile = "999999999999999999999999999999(999999999(9r))";
        assert_eq!(
            expanded(hostile, limit),
            Err((31, Fault::TooLong { limit }))
        );
    }
}
