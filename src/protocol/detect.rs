//! Which protocol a peer speaks: its first line says so.

/// The protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Uci,
    XBoard,
}

impl Protocol {
    /// What a first line gives away; a blank one says nothing.
    ///
    /// Peers of XBoard begin with `xboard` and go on with `protover`. All else is UCI, which passes over what it does
    /// not know. Arena tries `xboard` and says `uci` at once after it: see [`Flow::SwitchToUci`](super::Flow).
    pub(super) fn of(first_line: &str) -> Option<Self> {
        match first_line.split_ascii_whitespace().next()? {
            "xboard" | "protover" => Some(Self::XBoard),
            _ => Some(Self::Uci),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides() {
        for (line, protocol) in [
            ("uci", Some(Protocol::Uci)),
            ("isready", Some(Protocol::Uci)),
            ("position startpos", Some(Protocol::Uci)),
            ("what?", Some(Protocol::Uci)),
            ("xboard", Some(Protocol::XBoard)),
            (" xboard ", Some(Protocol::XBoard)),
            ("protover 2", Some(Protocol::XBoard)),
            ("", None),
            (" \t", None),
        ] {
            assert_eq!(Protocol::of(line), protocol, "{line:?}");
        }
    }
}
