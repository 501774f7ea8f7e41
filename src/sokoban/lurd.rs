//! LURD: the usual notation of solutions, one letter a step, capitals for pushes.

use thiserror::Error;

use super::Direction;
use super::finding::Place;
use super::run_length::{self, Fault, Token};

/// Most steps of a solution: far above the longest known ones, and 16 MiB when expanded.
pub const MAX_STEPS: usize = 1 << 24;

/// Why a text is no LURD solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("LURD, {place}: {fault}")]
pub struct LurdError {
    /// Where in the text.
    pub place: Place,
    /// What is wrong there.
    pub fault: LurdFault,
}

/// What is wrong with a LURD text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LurdFault {
    /// A character that is no part of the notation.
    #[error("{0:?} is no step; expected l, u, r, d or their capitals, a count, or a bracket")]
    NoStep(char),
    /// A count or a group that cannot be expanded.
    #[error(transparent)]
    Repeat(#[from] Fault),
}

/// Reads a solution: letters in any case, `3r` for `rrr`, `2(dl)` for `dldl` with nesting, blanks
/// and line breaks anywhere. Capitals are not trusted to mark the pushes: a replay decides.
///
/// Time and memory are linear in the length of the text plus the number of steps.
///
/// # Errors
/// [`LurdError`] for the first character that cannot be read, or for more than [`MAX_STEPS`] steps.
pub fn parse(text: &str) -> Result<Vec<Direction>, LurdError> {
    let mut tokens = Vec::new();
    for (place, symbol) in placed(text).filter(|(_, symbol)| !symbol.is_whitespace()) {
        tokens.push((
            place,
            token(symbol).map_err(|fault| LurdError { place, fault })?,
        ));
    }
    run_length::expand(tokens, MAX_STEPS).map_err(|error| LurdError {
        place: error.position,
        fault: error.fault.into(),
    })
}

/// Whether the text has no other characters than the notation has, blanks included.
pub(crate) fn is_notation(text: &str) -> bool {
    text.chars()
        .all(|symbol| symbol.is_whitespace() || token(symbol).is_ok())
}

/// Writes steps, capitals for those that push a box.
#[must_use]
pub fn write(steps: &[(Direction, bool)]) -> String {
    steps
        .iter()
        .map(|&(direction, push)| {
            let letter = direction.letter();
            if push {
                letter.to_ascii_uppercase()
            } else {
                letter
            }
        })
        .collect()
}

fn placed(text: &str) -> impl Iterator<Item = (Place, char)> + '_ {
    text.split('\n').enumerate().flat_map(|(line, row)| {
        row.chars().enumerate().map(move |(column, symbol)| {
            let (line, column) = (line + 1, column + 1);
            (Place { line, column }, symbol)
        })
    })
}

fn token(symbol: char) -> Result<Token<Direction>, LurdFault> {
    match Token::of(symbol) {
        Token::Digit(digit) => Ok(Token::Digit(digit)),
        Token::Open => Ok(Token::Open),
        Token::Close => Ok(Token::Close),
        Token::Symbol(letter) => Direction::ALL
            .into_iter()
            .find(|direction| direction.letter() == letter.to_ascii_lowercase())
            .map(Token::Symbol)
            .ok_or(LurdFault::NoStep(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};
    use proptest::prelude::*;

    #[test]
    fn letters_of_any_case_are_steps() {
        assert_eq!(
            parse("lurdLURD").unwrap(),
            [Left, Up, Right, Down, Left, Up, Right, Down]
        );
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn counts_groups_and_blanks_are_understood() {
        assert_eq!(
            parse(" 3 r\r\n2(d 2(L))\tU").unwrap(),
            [Right, Right, Right, Down, Left, Left, Down, Left, Left, Up]
        );
    }

    #[test]
    fn an_unknown_letter_is_named_with_its_place() {
        let error = parse("rrl\nlux").unwrap_err();
        assert_eq!(error.place, Place { line: 2, column: 3 });
        assert_eq!(error.fault, LurdFault::NoStep('x'));
        assert_eq!(
            error.to_string(),
            "LURD, line 2, column 3: 'x' is no step; expected l, u, r, d or their capitals, a count, or a bracket"
        );
    }

    #[test]
    fn a_hostile_repetition_is_an_error() {
        let error = parse("999999999(999999(9r))").unwrap_err();
        // The inner group has 8,999,991 steps; the outer one is refused.
        assert_eq!(error.place, Place { line: 1, column: 1 });
        assert_eq!(
            error.fault,
            LurdFault::Repeat(Fault::TooLong { limit: MAX_STEPS })
        );
    }

    #[test]
    fn pushes_are_written_as_capitals() {
        assert_eq!(
            write(&[(Left, false), (Up, true), (Right, true), (Down, false)]),
            "lURd"
        );
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_back(steps in prop::collection::vec((0_usize..4, any::<bool>()), 0..200)) {
            let steps: Vec<(Direction, bool)> =
                steps.into_iter().map(|(index, push)| (Direction::from_index(index), push)).collect();
            let directions: Vec<Direction> = steps.iter().map(|step| step.0).collect();
            prop_assert_eq!(parse(&write(&steps)).unwrap(), directions);
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[lurdLURD0-9() \\n]{0,60}|\\PC{0,40}") {
            let _ = parse(&text);
        }
    }
}
