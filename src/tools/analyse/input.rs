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
            let file = Counted(file, share.read.clone());
            (path.display().to_string(), Box::new(BufReader::new(file)))
        };
        let reader = Reader::new(input);
        let games = Self {
            name,
            reader,
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
            for error in &read.errors {
                (self.report)(&format!("{}: {error}", self.name));
            }
            if !read.is_blank() {
                return Some(Ok(read.game));
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

struct Counted<R>(R, Rc<Cell<u64>>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        self.1.set(self.1.get() + length as u64);
        Ok(length)
    }
}
