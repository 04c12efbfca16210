//! Networks with fewer neurons or king buckets, widened to this program's shape.

use crate::games::with_name;
use crate::temporary::Folder;
use clap::Parser;
use std::ffi::OsString;
use std::{fs, io};
use tabiya::board::Position;
use tabiya::eval::{
    HIDDEN, Header, KING_BUCKETS, MOTIF_INPUTS, Network, PIECE_FEATURES, Parameters, PieceStates,
    STATE_FEATURES, output,
};
use tabiya::types::PieceKind;
use tabiya_train::widen;

/// Neurons of the small network.
const NEURONS: usize = 192;

/// Positions with kings in all king buckets, and from few pieces to many.
const FENS: [&str; 5] = [
    "r1bqk2r/ppp2ppp/2n2n2/3pp3/8/2NP1NP1/PPP1PPBP/R1BQK2R w KQkq - 0 7",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8",
    "8/5pk1/4p1p1/3r4/8/2R3P1/1K3P1P/8 w - - 0 40",
    "8/8/3k4/3p4/3K1P2/8/8/8 b - - 0 50",
    "2kr4/ppp2p1p/8/3n4/8/2N5/PPP2PPP/2K1R3 w - - 0 20",
];

/// The file of the shipped network with its first [`NEURONS`] neurons and these of its king
/// buckets.
fn small_file(buckets: &[usize]) -> Vec<u8> {
    let network = Network::embedded();
    let Parameters {
        input_weights,
        words,
        output_bias,
        layers,
    } = network.parameters();
    let mut header = Header::new(network.header().scale, "small".into());
    header.hidden = NEURONS;
    header.king_buckets = buckets.len();
    header.features = STATE_FEATURES + buckets.len() * PIECE_FEATURES;
    let mut bytes = serde_json::to_vec(&header).unwrap();
    bytes.push(b'\n');
    let inputs: Vec<_> = input_weights.chunks_exact(HIDDEN).collect();
    let pieces = buckets
        .iter()
        .flat_map(|bucket| (0..PIECE_FEATURES).map(move |i| i + bucket * PIECE_FEATURES));
    for input in (0..STATE_FEATURES).chain(pieces.map(|input| STATE_FEATURES + input)) {
        bytes.extend(
            inputs[input][..NEURONS]
                .iter()
                .map(|weight| weight.cast_unsigned()),
        );
    }
    for row in words.chunks_exact(HIDDEN) {
        bytes.extend(row[..NEURONS].iter().flat_map(|word| word.to_le_bytes()));
    }
    for number in output_bias.iter().chain(&layers) {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// The shipped network with other weights.
fn changed(change: impl FnOnce(&mut Parameters)) -> Network {
    let network = Network::embedded();
    let mut parameters = network.parameters();
    change(&mut parameters);
    let header = Header::new(network.header().scale, "changed".into());
    Network::from_bytes(&Network::to_bytes(&header, &parameters).unwrap()).unwrap()
}

/// Leaves only the first [`NEURONS`] neurons an effect.
fn mute_others(parameters: &mut Parameters) {
    for row in parameters.words.chunks_exact_mut(HIDDEN).skip(1) {
        row[NEURONS..].fill(0);
    }
}

/// Widens `small.net` to `wide.net`.
fn run(folder: &Folder, options: &[&str]) -> io::Result<()> {
    let mut words: Vec<OsString> = options.iter().map(Into::into).collect();
    words.extend(["--out".into(), folder.path("wide.net").into()]);
    words.push(folder.path("small.net").into());
    widen::run(&widen::Settings::try_parse_from(with_name(words)).unwrap())
}

fn assert_same_outputs(one: &Network, other: &Network) {
    for fen in FENS {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(output(one, &position), output(other, &position), "{fen}");
    }
}

#[test]
fn a_network_with_more_neurons_evaluates_alike() {
    let folder = Folder::new("widen-neurons");
    let all: Vec<_> = (0..KING_BUCKETS).collect();
    fs::write(folder.path("small.net"), small_file(&all)).unwrap();
    run(&folder, &[]).unwrap();
    let wide = Network::load(&folder.path("wide.net")).unwrap();
    assert_same_outputs(&wide, &changed(mute_others));
    assert_eq!(wide.header().provenance["before"], "small");

    // New neurons see the board: a training only has to give them an effect.
    let weights = wide.parameters().input_weights;
    let new = weights.chunks_exact(HIDDEN).map(|row| &row[NEURONS..]);
    assert!(new.clone().all(|row| row.iter().any(|&weight| weight != 0)));
    assert!(new.flatten().all(|weight| weight.unsigned_abs() <= 20));
}

#[test]
fn each_king_bucket_copies_the_one_that_is_named() {
    let folder = Folder::new("widen-buckets");
    fs::write(folder.path("small.net"), small_file(&[2, 0])).unwrap();
    let sources = [1, 0, 0, 1];
    run(&folder, &["--king-buckets", "1,0,0,1"]).unwrap();
    let wide = Network::load(&folder.path("wide.net")).unwrap();
    let expected = changed(|parameters| {
        mute_others(parameters);
        let pieces = &mut parameters.input_weights[STATE_FEATURES * HIDDEN..];
        let old = pieces.to_vec();
        let old: Vec<_> = old.chunks_exact(PIECE_FEATURES * HIDDEN).collect();
        let new = pieces.chunks_exact_mut(PIECE_FEATURES * HIDDEN);
        for (bucket, source) in new.zip(sources) {
            bucket.copy_from_slice(old[[2, 0][source]]);
        }
    });
    assert_same_outputs(&wide, &expected);
}

/// By kind of piece and present state: the state of format 5. Defended or not, and attacked by a
/// less valuable piece or not.
const OLD_STATES: [[usize; PieceStates::COUNT]; 5] = [
    [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1],
    [2, 3, 3, 0, 1, 1, 0, 1, 1, 0, 1, 1],
    [2, 3, 3, 0, 1, 1, 0, 1, 1, 0, 1, 1],
    [2, 3, 3, 2, 3, 3, 0, 1, 1, 0, 1, 1],
    [2, 3, 3, 2, 3, 3, 2, 3, 3, 0, 1, 1],
];

#[test]
fn a_network_of_format_5_evaluates_alike() {
    // The old states are the first four of the shipped network.
    let (all, folder): (Vec<_>, _) = ((0..KING_BUCKETS).collect(), Folder::new("widen-states"));
    let file = small_file(&all);
    let end = file.iter().position(|&byte| byte == b'\n').unwrap();
    let mut header: Header = serde_json::from_slice(&file[..end]).unwrap();
    header.format = "tabiya network 5".to_owned();
    header.features -= STATE_FEATURES - 4 * PIECE_FEATURES;
    let mut bytes = serde_json::to_vec(&header).unwrap();
    bytes.push(b'\n');
    let (states, rest) = file[end + 1..].split_at(STATE_FEATURES * NEURONS);
    // Both sides' pieces of one kind, on all squares. Kings had weights that nothing used.
    let block = PIECE_FEATURES / PieceKind::COUNT;
    for state in states.chunks(5 * block * NEURONS).take(4) {
        bytes.extend(state);
        bytes.extend(vec![99; block * NEURONS]);
    }
    bytes.extend(rest);
    fs::write(folder.path("small.net"), &bytes).unwrap();
    run(&folder, &[]).unwrap();

    let wide = Network::load(&folder.path("wide.net")).unwrap();
    let expected = changed(|parameters| {
        mute_others(parameters);
        let (states, others) = (parameters.input_weights).split_at_mut(MOTIF_INPUTS.start * HIDDEN);
        let old = states.to_vec();
        for (index, weights) in states.chunks_exact_mut(block * HIDDEN).enumerate() {
            let (state, kind) = (index / OLD_STATES.len(), index % OLD_STATES.len());
            let from = OLD_STATES[kind][state] * OLD_STATES.len() + kind;
            weights.copy_from_slice(&old[from * block * HIDDEN..][..block * HIDDEN]);
        }
        // There were no motifs.
        others[..MOTIF_INPUTS.len() * HIDDEN].fill(0);
    });
    assert_same_outputs(&wide, &expected);

    // A file that ends within the weights of the states.
    fs::write(folder.path("small.net"), &bytes[..bytes.len() / 4]).unwrap();
    let error = run(&folder, &["--force"]).unwrap_err().to_string();
    assert!(error.contains("another format or shape"), "{error}");
}

#[test]
fn a_file_that_cannot_be_widened_is_refused_with_its_name() {
    let folder = Folder::new("widen-bad");
    let good = small_file(&[0, 1]);
    let header = |from: &str, to: &str| {
        let end = good.iter().position(|&byte| byte == b'\n').unwrap();
        let line = str::from_utf8(&good[..end]).unwrap();
        assert!(line.contains(from), "{line}");
        [line.replace(from, to).as_bytes(), &good[end..]].concat()
    };
    for (bytes, reason) in [
        (Vec::new(), "not a Tabiya network"),
        (b"{}\n".to_vec(), "not a Tabiya network"),
        (
            good[..good.len() - 1].to_vec(),
            "bytes of weights and biases",
        ),
        ([&good[..], b"\0"].concat(), "bytes of weights and biases"),
        (
            header("\"hidden\":192", "\"hidden\":0"),
            "bytes of weights and biases",
        ),
        (
            header("\"hidden\":192", "\"hidden\":513"),
            "bytes of weights and biases",
        ),
        (header("\"l2\":8", "\"l2\":16"), "another format or shape"),
        (
            header(
                "\"king_buckets\":2",
                "\"king_buckets\":18446744073709551615",
            ),
            "another format or shape",
        ),
    ] {
        fs::write(folder.path("small.net"), bytes).unwrap();
        let error = run(&folder, &["--king-buckets", "0,1,0,1"]).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("small.net") && message.contains(reason),
            "{message}"
        );
        assert!(!folder.path("wide.net").exists());
    }
}

#[test]
fn king_buckets_that_the_file_does_not_have_are_refused() {
    let folder = Folder::new("widen-numbers");
    fs::write(folder.path("small.net"), small_file(&[0, 1])).unwrap();
    for options in [
        &[][..],
        &["--king-buckets", "0,1,0"],
        &["--king-buckets", "0,1,2,1"],
    ] {
        let message = run(&folder, options).unwrap_err().to_string();
        let is_named = message.contains("small.net: ");
        let is_told = message.ends_with("--king-buckets needs 4 numbers from 0 to 1");
        assert!(is_named && is_told, "{message}");
        assert!(!folder.path("wide.net").exists());
    }
}

#[test]
fn an_existing_file_is_replaced_only_by_force() {
    let folder = Folder::new("widen-force");
    fs::write(folder.path("small.net"), small_file(&[0, 1])).unwrap();
    fs::write(folder.path("wide.net"), "kept").unwrap();
    let options = ["--king-buckets", "0,1,0,1"];
    let error = run(&folder, &options).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{error}");
    assert_eq!(fs::read(folder.path("wide.net")).unwrap(), b"kept");
    run(&folder, &[&options[..], &["--force"]].concat()).unwrap();
    assert!(Network::load(&folder.path("wide.net")).is_ok());
}
