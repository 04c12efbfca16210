#!/usr/bin/env bash
# Trains generation after generation until stopped: the newest network plays games and is trained on
# them. PROGRAMS is the folder of tabiya and tabiya-train; games and networks stay in FOLDER.
#   learn.sh PROGRAMS FIRST.net FOLDER [JUDGED.csv]
# A generation takes SECONDS_EACH (480) of games by JOBS (2) processes at NODES (1000) nodes per move,
# and one epoch on the games of the last WINDOW (3) generations. With JUDGED.csv (see
# judge_positions.py), results.txt has the error of each generation.
set -euo pipefail
[[ $# -ge 3 ]] || { sed -n 2,7p "$0" | cut -c3-; exit 2; }
programs=$1 net=$2 folder=$3 judged=${4:-}
mkdir -p "$folder"
generation=$(find "$folder" -name 'g*.net' | wc -l)
((generation == 0)) || net=$folder/g$generation.net
trap 'kill -INT $(jobs -p) 2>/dev/null; wait' EXIT

while true; do
    # Games of an interrupted generation are played again.
    rm -f "$folder/g$generation-"*
    for job in $(seq "${JOBS:-2}"); do
        "$programs/tabiya" datagen --out "$folder/g$generation-$job" --net "$net" --games 100000000 --nodes "${NODES:-1000}" \
            --seed $((generation * 100 + job)) --chess960-percent 5 --endgame-percent 7 2> "$folder/g$generation-$job.log" &
    done
    sleep "${SECONDS_EACH:-480}"
    kill -INT $(jobs -p)
    wait || true
    games=()
    for last in $(seq $((generation - ${WINDOW:-3} + 1)) $generation); do
        ((last < 0)) || games+=("$folder/g$last"-*-0.vf)
    done
    generation=$((generation + 1))
    "$programs/tabiya-train" train --init "$net" --score-scale 180 --lambda 0.5 --wdl 0 --rate 0.0005 --epochs 1 --mean-eval 176 \
        --threads "${JOBS:-2}" --seed $generation --force --out "$folder/g$generation" "${games[@]}" > "$folder/g$generation.log" 2>&1
    net=$folder/g$generation.net
    error=
    [[ -z $judged ]] || error=$("$programs/tabiya-train" judge "$judged" --net "$net" | head -n 1)
    printf '%s generation %d %s\n' "$(date +%H:%M)" $generation "$error" | tee -a "$folder/results.txt"
done
