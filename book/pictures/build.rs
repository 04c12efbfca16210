//! Makes modules of the programs of the course, so that the pictures run the very code of the book.
//!
//! A program has no library. This script leaves out its `main` and its module comment, takes the
//! clock from this package instead of the one that reads standard input, and renames the functions
//! whose calls a picture follows: `negamax` becomes `step_negamax`, and the picture's own `negamax`
//! records the call and passes it on. The calls inside the program stay as they are.

use std::path::Path;
use std::{env, fs};

/// What replaces what in a program. Each text occurs once.
type Exchanges = &'static [(&'static str, &'static str)];

const TRACE: (&str, &str) = (
    "    nodes: u64,\n}",
    "    nodes: u64,\n    trace: Trace,\n}",
);
const NEGAMAX: (&str, &str) = ("fn negamax(", "fn step_negamax(");
const QUIESCENCE: (&str, &str) = ("fn quiescence(", "fn step_quiescence(");
const ORDER: (&str, &str) = ("fn order(", "fn step_order(");
const SEARCHER: (&str, &str) = ("\nstruct Searcher {", "\npub(crate) struct Searcher {");
const CLOCK: (&str, &str) = ("use course::uci::{self, ", "use crate::clock::{");

const PROGRAMS: &[(&str, Exchanges)] = &[
    ("step03", &[TRACE, NEGAMAX, CLOCK]),
    ("step04", &[TRACE, NEGAMAX, CLOCK]),
    ("step06", &[TRACE, NEGAMAX, QUIESCENCE, ORDER, CLOCK]),
    ("step08", &[SEARCHER, CLOCK]),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, exchanges) in PROGRAMS {
        let path = Path::new(&root).join(format!("../../course/src/bin/{name}.rs"));
        println!("cargo::rerun-if-changed={}", path.display());
        let program = fs::read_to_string(&path).expect("the program can be read");
        let module = module(name, &program, exchanges);
        fs::write(Path::new(&out).join(format!("{name}.rs")), module).expect("OUT_DIR is writable");
    }
}

fn module(name: &str, program: &str, exchanges: Exchanges) -> String {
    let (library, _) = program
        .split_once("\nfn main() {")
        .unwrap_or_else(|| panic!("{name}: no main"));
    // Text that is included may not begin with a comment on its module.
    let mut text: String = library
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .flat_map(|line| [line, "\n"])
        .collect();
    for (from, to) in exchanges {
        assert_eq!(text.matches(from).count(), 1, "{name}: {from}");
        text = text.replace(from, to);
    }
    text
}
