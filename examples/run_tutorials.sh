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

expect() { # WORDS PROGRAM: the program succeeds and says the words
    said=$("$programs/$2" "$address")
    echo "$said"
    case $said in
        *"$1"*) ;;
        *) echo "$2 did not say: $1" >&2; exit 1 ;;
    esac
}
expect "published SPEED and GREETING" t01_publish
expect "hello, bus" t02_subscribe
expect "control: depth 3" t03_queues_and_wildcards
