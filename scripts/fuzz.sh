#!/usr/bin/env bash
# Fuzzes the readers of all input with cargo-fuzz, under AddressSanitizer.
#   fuzz.sh [SECONDS] [TARGET...]
# SECONDS is the time of each target, 60 by default. Needs bash 4, a nightly Rust and cargo-fuzz. Inputs that
# reach new code are kept in fuzz/corpus. A finding ends the run; its input is in fuzz/artifacts.
set -euo pipefail
[[ ${1-} != -h && ${1-} != --help ]] || { sed -n 2,5p "$0" | cut -c3-; exit; }
cd "$(dirname "$0")/.."
list=$(cargo +nightly fuzz list) || {
    echo "fuzz.sh: cargo-fuzz or a nightly Rust is missing: rustup install nightly, cargo install cargo-fuzz" >&2
    exit 1
}
# A fuzzer that Ctrl-C ends has a code of its own.
trap 'exit 130' INT
seconds=${1:-60}
shift || true
targets=("$@")
[[ $# -gt 0 ]] || mapfile -t targets <<<"$list"
for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target"
    cargo +nightly fuzz run -O "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -timeout=60 -print_final_stats=1
done
