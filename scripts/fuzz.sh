#!/usr/bin/env bash
# Fuzzes the readers of all input with cargo-fuzz, under AddressSanitizer.
#   fuzz.sh [SECONDS] [TARGET...]
# SECONDS is the time of each target, 60 by default. Needs a nightly Rust and cargo-fuzz. Inputs that
# reach new code are kept in fuzz/corpus. A finding ends the run; its input is in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
targets=("$@")
[[ $# -gt 0 ]] || mapfile -t targets < <(cargo +nightly fuzz list)
for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target"
    cargo +nightly fuzz run -O "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -timeout=60 -print_final_stats=1
done
