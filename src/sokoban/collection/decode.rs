//! From bytes to text: level files carry names from before UTF-8.

/// UTF-16 if a byte order mark says so; UTF-8 if the bytes are valid; else Latin-1, in which every
/// byte is a character. A byte order mark is removed.
pub(super) fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => decode_bytes(rest),
        _ => decode_bytes(bytes),
    }
}

fn decode_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// An unpaired surrogate or half a unit becomes the replacement character.
fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::from_utf16_lossy(&pairs.iter().copied().map(unit).collect::<Vec<u16>>());
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_kept_and_its_mark_removed() {
        assert_eq!(decode("François".as_bytes()), "François");
        assert_eq!(decode(b"\xEF\xBB\xBF####"), "####");
    }

    #[test]
    fn bytes_that_are_no_utf8_are_latin1() {
        assert_eq!(decode(b"Fran\xE7ois"), "François");
    }

    #[test]
    fn utf16_is_read_in_both_orders() {
        assert_eq!(decode(b"\xFF\xFE#\x00\xE7\x00"), "#ç");
        assert_eq!(decode(b"\xFE\xFF\x00#\x00\xE7"), "#ç");
        assert_eq!(decode(b"\xFF\xFE#\x00\xE7"), "#\u{FFFD}");
    }
}
