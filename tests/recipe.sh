#!/usr/bin/env bash
# The README's recipe of a network, run as it stands there: games, training, and the network plays.
#   tests/recipe.sh PATH/TO/tabiya
set -euo pipefail
program=$(realpath "$1")
readme=$(realpath "$(dirname "$0")/../README.md")
recipe=$(sed -n '/^## Train a network/,/^## /p' "$readme" | sed -n '/^```sh$/,/^```$/{/^```/!p}')
[[ -n $recipe ]] || { echo "the README has no recipe" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p target/release
ln -s "$program" target/release/tabiya
echo "$recipe"
output=$(bash -euo pipefail -c "$recipe")
echo "$output" | tail -n 3
grep -q '^fingerprint' <<<"$output" || { echo "the network was not shown" >&2; exit 1; }
own=$(target/release/tabiya bench | tail -n 1)
toy=$(tail -n 1 <<<"$output")
[[ $toy == *" nodes "* && ${toy% nodes *} != "${own% nodes *}" ]] || {
    echo "the network that was made did not play" >&2
    exit 1
}
