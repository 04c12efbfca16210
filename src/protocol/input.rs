//! Lines from a peer, as they come.

use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, BufReader, Read};
use std::thread;

/// What a line may hold; more than any game of chess takes. The rest of a longer one is dropped.
const MAX_LINE: u64 = 4 << 20;

/// So many lines may wait to be answered. A peer that sends more and reads nothing is read no further until it does.
const MAX_LINES: usize = 16;

/// Starts a thread that reads lines until the end of the input; then the channel closes.
///
/// What is no text becomes replacement characters, `\r\n` ends a line as `\n` does, and a last line without end counts.
///
/// # Errors
/// If there is no thread to be had.
pub fn spawn_reader(input: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(MAX_LINES);
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(line) = read_line(&mut input) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
    Ok(lines)
}

/// The next line without its end, or `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    if input
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut bytes)
        .ok()?
        == 0
    {
        return None;
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n').ok()?;
    }
    while bytes
        .last()
        .is_some_and(|&byte| byte == b'\n' || byte == b'\r')
    {
        bytes.pop();
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_way() {
        let mut input: &[u8] = b"uci\r\n\nisready\n\xFF\xFEgo\nquit";
        let lines: Vec<_> = std::iter::from_fn(|| read_line(&mut input)).collect();
        assert_eq!(lines, ["uci", "", "isready", "\u{FFFD}\u{FFFD}go", "quit"]);
    }

    #[test]
    fn a_line_that_does_not_end_is_cut() {
        let mut input = io::repeat(b'x')
            .take(MAX_LINE + 10)
            .chain(&b"\nisready\n"[..]);
        let mut input = BufReader::new(&mut input);
        assert_eq!(
            read_line(&mut input).map(|line| line.len() as u64),
            Some(MAX_LINE)
        );
        assert_eq!(read_line(&mut input).as_deref(), Some("isready"));
    }
}
