//! Lines of input, read on a thread or sent by Ctrl-C.

use crate::game::encoding::{Utf8, without_mark};
use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, BufReader, Read};
use std::thread;

/// Maximum bytes of a line, more than any game needs. The rest of a longer line is dropped.
const MAX_LINE: u64 = 4 << 20;

/// Maximum number of unhandled lines. Beyond it, the thread stops reading until one is handled.
const MAX_LINES: usize = 16;

/// Starts a thread that reads lines. The channel closes at the end of the input.
///
/// A line ends with `\n` or `\r\n`; the last line needs no end. UTF-16 and byte order marks are
/// read, because the shell of Windows writes them. Invalid UTF-8 becomes replacement characters.
///
/// # Errors
/// If the thread cannot be started.
pub fn spawn_reader(input: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(MAX_LINES);
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let mut input = Utf8::new(BufReader::new(input));
            while let Ok(Some(line)) = read_line(&mut input) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
    Ok(lines)
}

/// Sends the line `stop` for each Ctrl-C from now on.
///
/// # Errors
/// If the handler cannot be set.
#[cfg(any(feature = "console", feature = "tools"))]
pub fn stop_on_interrupt() -> io::Result<Receiver<String>> {
    /// More presses than this have no meaning.
    const MAX_PRESSES: usize = 2;
    let (sender, lines) = bounded(MAX_PRESSES);
    let press = move || {
        // A full channel drops the line.
        let _ = sender.try_send("stop".to_owned());
    };
    ctrlc::set_handler(press).map_err(io::Error::other)?;
    Ok(lines)
}

/// Reads a line without its end; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut beginning = input.by_ref().take(MAX_LINE);
    if beginning.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    while bytes
        .last()
        .is_some_and(|&byte| byte == b'\n' || byte == b'\r')
    {
        bytes.pop();
    }
    let line = String::from_utf8_lossy(&bytes);
    Ok(Some(without_mark(&line).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_may_be_mixed() -> io::Result<()> {
        let mut input: &[u8] = b"uci\r\n\nisready\n\xFF\xFEgo\nquit";
        for expected in ["uci", "", "isready", "\u{FFFD}\u{FFFD}go", "quit"] {
            assert_eq!(read_line(&mut input)?.as_deref(), Some(expected));
        }
        assert_eq!(read_line(&mut input)?, None);
        Ok(())
    }

    /// PowerShell puts a mark before the first command, or sends UTF-16.
    #[test]
    fn marks_and_wide_characters_are_read() {
        let wide = |mark: &[u8], unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            let units = "uci\r\nisready\r\n".encode_utf16();
            [mark.to_vec(), units.flat_map(unit).collect()].concat()
        };
        for bytes in [
            b"\xEF\xBB\xBFuci\r\nisready\n".to_vec(),
            b"\xC3\xAF\xC2\xBB\xC2\xBFuci\nisready".to_vec(),
            b"\xEF\xBB\xBF\nuci\n\xEF\xBB\xBFisready\n".to_vec(),
            wide(b"\xFF\xFE", u16::to_le_bytes),
            wide(b"\xFE\xFF", u16::to_be_bytes),
            wide(b"", u16::to_le_bytes),
            wide(b"", u16::to_be_bytes),
        ] {
            let reader = spawn_reader(io::Cursor::new(bytes));
            let lines: Vec<_> = reader.map_or_else(|_| Vec::new(), |lines| lines.iter().collect());
            let lines: Vec<_> = lines.iter().filter(|line| !line.is_empty()).collect();
            assert_eq!(lines, ["uci", "isready"]);
        }
    }

    #[test]
    fn a_line_over_the_limit_is_cut() -> io::Result<()> {
        let mut input = io::repeat(b'x')
            .take(MAX_LINE + 10)
            .chain(&b"\nisready\n"[..]);
        let mut input = BufReader::new(&mut input);
        let cut = read_line(&mut input)?.map(|line| line.len() as u64);
        assert_eq!(cut, Some(MAX_LINE));
        assert_eq!(read_line(&mut input)?.as_deref(), Some("isready"));
        Ok(())
    }
}
