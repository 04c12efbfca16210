#!/usr/bin/env bash
# Plays an engine against itself with fastchess and counts how the games end.
#   endurance.sh ENGINE OPENINGS.epd LIMIT ROUNDS [VARIANT]
# LIMIT is a limit of fastchess, such as nodes=200 or tc=1+0.01, VARIANT standard or fischerandom. A
# round has two games. FASTCHESS is the path of fastchess, CONCURRENCY the number of simultaneous
# games, also above the number of cores. Fails if a game ends by time, an illegal move or the end of
# an engine.
set -euo pipefail
usage() { sed -n 2,7p "$0" | cut -c3-; }
[[ ${1-} != -h && ${1-} != --help ]] || { usage; exit; }
[[ $# -ge 4 ]] || { usage >&2; exit 2; }
fastchess=${FASTCHESS:-fastchess}
command -v "$fastchess" >/dev/null || {
    echo "${0##*/}: $fastchess is missing: install it, or set FASTCHESS to its path" >&2
    exit 1
}
engine=$1 openings=$2 limit=$3 rounds=$4 variant=${5:-standard}
log=$(mktemp)
trap 'rm "$log"' EXIT
report() {
    echo "$limit, $variant: $((SECONDS - start)) s, load average now $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null)"
    sed -nE 's/^Finished game .*\{(.*)\}$/\1/p' "$log" | sed -E 's/White|Black/Side/g' | sort | uniq -c | sort -rn
}
# fastchess ends in order after Ctrl-C, as if it were done.
trap 'report; exit 130' INT
start=$SECONDS
"$fastchess" \
    -engine cmd="$engine" name=one -engine cmd="$engine" name=two \
    -each proto=uci "$limit" option.Hash=16 -variant "$variant" \
    -openings file="$openings" format=epd order=random -repeat -rounds "$rounds" \
    -concurrency "${CONCURRENCY:-1}" -force-concurrency -recover -autosaveinterval 0 > "$log" 2>&1 ||
    { tail -n 5 "$log"; exit 1; }
report
grep -q '^Finished game' "$log" || {
    echo "${0##*/}: no game was played" >&2
    tail -n 5 "$log" >&2
    exit 1
}
! grep -iE 'loses on time|illegal|disconnect|stall|crash|warning' "$log"
