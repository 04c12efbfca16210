#!/usr/bin/env bash
# Checks that `make EVALFILE=...` builds the given network into the program, as OpenBench requires.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A copy of the network with one byte changed.
cp assets/tabiya.net "$folder/other.net"
size=$(stat -c %s "$folder/other.net" 2>/dev/null || stat -f %z "$folder/other.net")
printf '\x01' | dd of="$folder/other.net" bs=1 seek=$((size / 2)) conv=notrunc status=none
make EXE="$folder/tabiya" EVALFILE="$folder/other.net"
fingerprint() { sed -nE 's/^fingerprint +//p'; }
built=$("$folder/tabiya" net | fingerprint)
other=$("$folder/tabiya" net "$folder/other.net" | fingerprint)
own=$("$folder/tabiya" net assets/tabiya.net | fingerprint)
echo "assets $own, EVALFILE $other, built in $built"
[[ -n $built && $built == "$other" && $built != "$own" ]] || {
    echo "the built-in network is not the network of EVALFILE" >&2
    exit 1
}
# Later steps need the program with its own network.
make EXE="$folder/tabiya"
