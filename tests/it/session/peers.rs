//! Two kinds of sessions: in this process, and through the program.

use super::{Peer, TIMEOUT};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tabiya::engine::Engine;
use tabiya::protocol::{self, EachLine};

/// An engine session in this process.
pub(crate) struct InProcess {
    input: Option<Sender<String>>,
    output: Receiver<String>,
    session: thread::JoinHandle<io::Result<()>>,
}

impl InProcess {
    pub(crate) fn start() -> Self {
        let (input, lines) = unbounded();
        let (sender, output) = unbounded();
        let writer = EachLine::new(move |line: &str| {
            let sent = sender.send(line.to_owned());
            sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
        });
        let session = thread::spawn(move || protocol::run(lines, Engine::new()?, writer));
        Self {
            input: Some(input),
            output,
            session,
        }
    }

    /// Closes the input, waits for the end and returns the remaining output.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.input = None;
        wait_for(|| self.session.is_finished().then_some(())).expect("the session ends");
        self.session.join().expect("no panic").expect("no error");
        self.output.try_iter().collect()
    }
}

impl Peer for InProcess {
    fn send(&mut self, line: &str) {
        // After `quit` the channel is closed.
        let _ = self
            .input
            .as_ref()
            .expect("not finished")
            .send(line.to_owned());
    }

    fn receive_within(&mut self, timeout: Duration) -> Option<String> {
        self.output.recv_timeout(timeout).ok()
    }
}

/// Asks until there is something; `None` if there is nothing for too long.
pub(crate) fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let found = ask();
        if found.is_some() || Instant::now() > deadline {
            return found;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// A running engine program.
pub(crate) struct Program {
    pub(crate) child: Child,
    pub(crate) input: ChildStdin,
    pub(crate) output: Receiver<String>,
}

impl Program {
    pub(crate) fn start() -> Self {
        let mut child = crate::process::tabiya()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, output) = unbounded();
        thread::spawn(move || {
            stdout
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            child,
            input,
            output,
        }
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input
            .write_all(bytes)
            .and_then(|()| self.input.flush())
            .expect("the program reads its input");
    }

    /// Closes the input, waits for the end and returns the remaining output.
    pub(crate) fn finish(self) -> Vec<String> {
        let Self {
            mut child,
            input,
            output,
        } = self;
        drop(input);
        let status = wait_for(|| child.try_wait().expect("it has a status"));
        if status.is_none() {
            child.kill().expect("it can be killed");
        }
        assert!(status.expect("the program ends").success());
        output.iter().collect()
    }
}

impl Peer for Program {
    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn receive_within(&mut self, timeout: Duration) -> Option<String> {
        self.output.recv_timeout(timeout).ok()
    }
}
