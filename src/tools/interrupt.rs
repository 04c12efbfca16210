//! Ctrl-C in a tool that works for long: the first one ends the work in order, the second at once.

use std::io::{self, Read};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that Ctrl-C ends: 128 and the number of the signal.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether a tool waits for standard input, which a flag cannot end.
static WAITS: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program, and so does the first one while
/// [`Waiting`] reads.
///
/// # Errors
/// If the signal handler cannot be installed.
pub fn on_interrupt() -> io::Result<&'static AtomicBool> {
    let handle = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) || WAITS.load(Ordering::SeqCst) {
            process::exit(EXIT_CODE.into());
        }
    };
    ctrlc::set_handler(handle).map_err(io::Error::other)?;
    Ok(&INTERRUPTED)
}

/// The error of work that Ctrl-C has ended.
#[must_use]
pub fn interruption(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, reason)
}

/// Input that may be long in coming: Ctrl-C ends the program while it is read.
#[derive(Debug)]
pub struct Waiting<R>(pub R);

impl<R: Read> Read for Waiting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The handler sets its flag and asks for this one, so at least one of the two sees both.
        WAITS.store(true, Ordering::SeqCst);
        if INTERRUPTED.load(Ordering::SeqCst) {
            process::exit(EXIT_CODE.into());
        }
        let read = self.0.read(buffer);
        WAITS.store(false, Ordering::SeqCst);
        read
    }
}
