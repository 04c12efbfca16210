//! The options that the help of a command names; the tests of the trainer use it too.

/// Whether `help` names an option, such as `--nodes` or `--nodes=5`, and not only a longer one.
pub(crate) fn has_option(help: &str, option: &str) -> bool {
    let name = option.split('=').next();
    let is_in_option = |letter: char| letter.is_alphanumeric() || letter == '-';
    help.split(|letter| !is_in_option(letter))
        .any(|word| Some(word) == name)
}

#[test]
fn an_option_is_not_the_beginning_of_another() {
    let help = "  --nodes <N>  Nodes, at most [default: 5]";
    assert!(has_option(help, "--nodes") && has_option(help, "--nodes=7"));
    assert!(!has_option(help, "--node") && !has_option(help, "--nodes-if-noisy"));
}
