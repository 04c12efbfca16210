#!/usr/bin/env bash
# Runs a sequential probability ratio test of two builds with fastchess.
#   sprt.sh NEW OLD OPENINGS.epd [TC] [ELO0 ELO1]      (2+0.02, 0 and 5)
# FASTCHESS is the path of fastchess, CONCURRENCY the number of simultaneous games (1; keep it below
# the number of cores), ROUNDS the maximum number of pairs (20,000). Both error rates are 5 %.
set -euo pipefail
usage() { sed -n 2,5p "$0" | cut -c3-; }
[[ ${1-} != -h && ${1-} != --help ]] || { usage; exit; }
[[ $# -ge 3 ]] || { usage >&2; exit 2; }
fastchess=${FASTCHESS:-fastchess}
command -v "$fastchess" >/dev/null || {
    echo "${0##*/}: $fastchess is missing: install it, or set FASTCHESS to its path" >&2
    exit 1
}
new=$1 old=$2 openings=$3 tc=${4:-2+0.02} elo0=${5:-0} elo1=${6:-5}
# fastchess ends in order after Ctrl-C, as if it were done.
trap 'exit 130' INT
"$fastchess" \
    -engine cmd="$new" name=new -engine cmd="$old" name=old \
    -each proto=uci tc="$tc" option.Hash=16 \
    -openings file="$openings" format=epd order=random -repeat -rounds "${ROUNDS:-20000}" \
    -concurrency "${CONCURRENCY:-1}" -recover \
    -sprt elo0="$elo0" elo1="$elo1" alpha=0.05 beta=0.05 model=logistic
