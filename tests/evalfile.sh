#!/usr/bin/env bash
# What `make EVALFILE=...` builds plays with that network and no other: OpenBench relies on it.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The same network with another byte.
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
    echo "the network of EVALFILE is not the one that is built in" >&2
    exit 1
}
# What comes after this finds the program with its own network again.
make EXE="$folder/tabiya"
