#!/usr/bin/env bash
# Runs the commands of docs/training.md for a toy network: self-play, training, and a bench with the result.
#   tests/recipe.sh FOLDER        the folder of the programs tabiya and tabiya-train
set -euo pipefail
[[ ${1-} != -h && ${1-} != --help && $# -eq 1 ]] || { sed -n 2,3p "$0" | cut -c3-; [[ $# -eq 1 ]]; exit; }
programs=$(realpath "$1")
page=$(realpath "$(dirname "$0")/../docs/training.md")
recipe=$(sed -n '/^## A toy/,/^## /p' "$page" | sed -n '/^```sh$/,/^```$/{/^```/!p}')
[[ -n $recipe ]] || { echo "docs/training.md has no commands for a toy network" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir target
ln -s "$programs" target/release
echo "$recipe"
output=$(bash -euo pipefail -c "$recipe")
echo "$output" | tail -n 3
grep -q '^fingerprint' <<<"$output" || { echo "'tabiya net' did not show the network" >&2; exit 1; }
built_in=$(target/release/tabiya bench | tail -n 1)
toy=$(tail -n 1 <<<"$output")
[[ $toy == *" nodes "* && ${toy% nodes *} != "${built_in% nodes *}" ]] || {
    echo "the bench with the trained network has the nodes of the built-in network" >&2
    exit 1
}
