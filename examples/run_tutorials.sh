#!/bin/sh
# Runs the tutorials in DIRECTORY one after another against a broker of their own, and checks what
# they print: run_tutorials.sh DIRECTORY
set -eu
programs=$1
scratch=$(mktemp -d)
mkfifo "$scratch/said"
"$programs/caribou" db --port 0 --quiet > "$scratch/said" &
broker=$!
trap 'kill $broker; wait $broker || true; rm -r "$scratch"' EXIT

# The broker's first line ends with its address.
read -r line < "$scratch/said"
address=${line##* }

expect() { # WORDS PROGRAM [ARGUMENT...]: the program succeeds and says the words
    words=$1 program=$2
    shift 2
    said=$("$programs/$program" "$@")
    echo "$said"
    case $said in
        *"$words"*) ;;
        *) echo "$program did not say: $words" >&2; exit 1 ;;
    esac
}
expect "published SPEED and GREETING" t01_publish "$address"
expect "hello, bus" t02_subscribe "$address"
expect "control: depth 3" t03_queues_and_wildcards "$address"

# Apps are told by the options of every MOOS app.
missions=$(dirname "$0")/missions
there="--moos_host=${address%:*} --moos_port=${address##*:}"
# shellcheck disable=SC2086
{
    expect "COUNT is 5" t04_app $there
    expect "down we go: to 2 m at 5 m/s" t05_parameters "$missions/depth.moos" $there
    expect "arrived at 2 m" t05_parameters "$missions/depth.toml" $there
    for mode in 0 1 2; do
        expect "caught 10 balls" t06_iterate_modes $there --moos_iterate_mode=$mode --moos_max_app_tick=0
    done
}
