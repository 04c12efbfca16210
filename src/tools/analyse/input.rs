//! The games to analyse, read one at a time.

use crate::game::pgn::{PgnGame, Reader};
use crate::tools::files::{STANDARD, STANDARD_INPUT, named, open};
use crate::tools::interrupt::Waiting;
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

/// The games of a file or of standard input, without blank ones. Errors in the text are reported.
pub(super) struct Games<'a> {
    pub(super) name: String,
    reader: Reader<Box<dyn BufRead>>,
    /// Number of games so far, without blank ones.
    count: usize,
    report: &'a dyn Fn(&str),
}

impl<'a> Games<'a> {
    /// Opens the file, or standard input for `-`. `report` gets the errors in the text. Also
    /// returns the progress through the file.
    pub(super) fn open(path: &Path, report: &'a dyn Fn(&str)) -> io::Result<(Self, Share)> {
        let mut share = Share::default();
        let (name, input): (_, Box<dyn BufRead>) = if path.as_os_str() == STANDARD {
            let input = BufReader::new(Waiting(io::stdin()));
            (STANDARD_INPUT.to_owned(), Box::new(input))
        } else {
            let file = open(path)?;
            share.total = file.metadata().map_err(named(path))?.len();
            let file = Counted(BufReader::new(file), share.read.clone());
            (path.display().to_string(), Box::new(file))
        };
        let reader = Reader::new(input);
        let games = Self {
            name,
            reader,
            count: 0,
            report,
        };
        Ok((games, share))
    }
}

impl Iterator for Games<'_> {
    type Item = io::Result<PgnGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let read = match self.reader.next()? {
                Ok(read) => read,
                Err(error) => return Some(Err(named(Path::new(&self.name))(error))),
            };
            if !read.is_blank() {
                self.count += 1;
                for mut error in read.errors {
                    error.game = self.count;
                    (self.report)(&format!("{}: {error}", self.name));
                }
                return Some(Ok(read.game));
            }
            if !read.errors.is_empty() {
                let (name, line) = (&self.name, read.line);
                (self.report)(&format!(
                    "{name}: line {line}: this text is no game and is left out"
                ));
            }
        }
    }
}

/// How much of a file has been read.
#[derive(Debug, Default)]
pub(super) struct Share {
    read: Rc<Cell<u64>>,
    /// The size of the file; 0 if it is not known.
    total: u64,
}

impl Share {
    /// The share in percent.
    pub(super) fn percent(&self) -> Option<u64> {
        (100 * self.read.get()).checked_div(self.total)
    }
}

/// Counts what the reader takes from the buffer, not what the buffer takes from the file.
struct Counted<R>(R, Rc<Cell<u64>>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        self.1.set(self.1.get() + length as u64);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
        self.1.set(self.1.get() + amount as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs, process};

    #[test]
    fn the_share_is_of_what_was_read_and_not_of_the_buffer() {
        let path = env::temp_dir().join(format!("tabiya-share-{}.pgn", process::id()));
        fs::write(&path, "1. e4 e5 *\n\n".repeat(10)).unwrap();
        let (mut games, share) = Games::open(&path, &|_| {}).unwrap();
        let shares: Vec<_> = (0..10)
            .map(|_| {
                games.next().unwrap().unwrap();
                share.percent().unwrap()
            })
            .collect();
        fs::remove_file(&path).unwrap();
        assert!(
            shares.is_sorted() && (1..=30).contains(&shares[0]) && shares[9] > 90,
            "{shares:?}"
        );
    }
}
