//! Detects the protocol from the first line of the input.

/// A protocol for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Uci,
    XBoard,
}

impl Protocol {
    // ANCHOR: detect
    /// The protocol of a first line; `None` if the line is blank.
    ///
    /// XBoard sends `xboard`, then `protover`. Any other line means UCI, which ignores unknown
    /// commands. Arena sends `xboard` and then `uci`: see [`Flow::SwitchToUci`](super::Flow).
    pub(super) fn of(first_line: &str) -> Option<Self> {
        match first_line.split_ascii_whitespace().next()? {
            "xboard" | "protover" => Some(Self::XBoard),
            _ => Some(Self::Uci),
        }
    }
    // ANCHOR_END: detect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides_the_protocol() {
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
