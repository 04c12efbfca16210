#!/usr/bin/env bash
# Plays an engine against those that Debian packages, at full strength and equal time.
#   ladder.sh ENGINE OPENINGS.epd [TC] [ROUNDS]
# TC is 2+0.02 by default, ROUNDS 50, of two games each. FASTCHESS is the path of fastchess, CONCURRENCY
# the number of simultaneous games. Opponents that are not installed are skipped. A row has the opponent
# and the last report of fastchess; losses on time, crashes and illegal moves are counted from its log.
set -euo pipefail
usage() { sed -n 2,6p "$0" | cut -c3-; }
[[ ${1-} != -h && ${1-} != --help ]] || { usage; exit; }
[[ $# -ge 2 ]] || { usage >&2; exit 2; }
fastchess=${FASTCHESS:-fastchess}
command -v "$fastchess" >/dev/null || {
    echo "${0##*/}: $fastchess is missing: install it, or set FASTCHESS to its path" >&2
    exit 1
}
for file in "$1" "$2"; do
    [[ -f $file ]] || { echo "ladder.sh: $file is not a file" >&2; exit 1; }
done
engine=$1 openings=$2 tc=${3:-2+0.02} rounds=${4:-50}
PATH=$PATH:/usr/games
logs=$(mktemp -d)
trap 'rm -r "$logs"' EXIT
# fastchess ends in order after Ctrl-C, as if it were done.
trap 'exit 130' INT
# gnuchess crashes on `quit`, and fastchess then waits a minute. `timeout` ends at once when it does.
printf '#!/bin/sh\nexec timeout --foreground 3600 gnuchess --uci\n' > "$logs/gnuchess"
chmod +x "$logs/gnuchess"

play() {
    local name=$1 command=$2 log
    shift 2
    log=$logs/$name.log
    if ! command -v "${command##*/}" >/dev/null; then
        printf '%-12s not installed\n' "$name"
        return
    fi
    "$fastchess" \
        -engine cmd="$engine" name=tabiya -engine cmd="$command" name="$name" "$@" \
        -each proto=uci tc="$tc" option.Hash=16 -openings file="$openings" format=epd order=random \
        -repeat -rounds "$rounds" -concurrency "${CONCURRENCY:-1}" -recover -autosaveinterval 0 > "$log" 2>&1 || true
    grep -q '^Games' "$log" || {
        echo "ladder.sh: no game against $name was played:" >&2
        tail -n 5 "$log" >&2
        return 1
    }
    printf '%-12s %s | %s\n' "$name" "$(grep -E '^Elo' "$log" | tail -n 1)" "$(grep -E '^Games' "$log" | tail -n 1)"
    printf '%-12s errors: %s\n' '' "$(grep -ciE 'loses on time|illegal|disconnect|stall|crash' "$log" || true)"
    grep -iE 'loses on time|illegal|disconnect|stall|crash' "$log" | head -n 5 || true
}

play stockfish "$(command -v stockfish || echo stockfish)"
play ethereal "$(command -v ethereal-chess || echo ethereal-chess)" option.MoveOverhead=10
play toga2 "$(command -v toga2 || echo toga2)" option.OwnBook=false "option.Number of Threads=1"
play glaurung "$(command -v glaurung || echo glaurung)" option.Threads=1 option.OwnBook=false option.Ponder=false
play gnuchess "$logs/gnuchess" option.OwnBook=false
