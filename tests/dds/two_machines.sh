# shellcheck shell=bash
# Two machines on one wire, as network namespaces `$name-a` (10.77.0.1) and `$name-b` (10.77.0.2), for the
# tests that source this; exits with 77 where namespaces are not permitted. Started processes are listed
# in `pids`, their output is in `folder`.
set -eu
name=caribou-$$
folder=$(mktemp -d)
pids=()
# ends PID: waits for its end; fails if it does not exit.
ends() { timeout 20 tail -f --pid="$1" /dev/null; }
clean() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do ends "$pid" || kill -KILL "$pid"; done
    ip netns del "$name-a" 2>/dev/null || true
    ip netns del "$name-b" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT

if ! ip netns add "$name-a" 2>"$folder/why"; then
    echo "skipped: no network namespace can be made here: $(cat "$folder/why")"
    exit 77
fi
ip netns add "$name-b"
ip link add wire netns "$name-a" type veth peer name wire netns "$name-b"
ip -n "$name-a" addr add 10.77.0.1/24 dev wire
ip -n "$name-b" addr add 10.77.0.2/24 dev wire
for end in a b; do
    ip -n "$name-$end" link set lo up
    ip -n "$name-$end" link set wire up
done

# on a|b COMMAND...: runs it on that machine.
on() { ip netns exec "$name-$1" "${@:2}"; }

# begin a|b FILE COMMAND...: starts it on that machine, with its output in the file.
begin() {
    ip netns exec "$name-$1" "${@:3}" >"$2" 2>&1 &
    pids+=($!)
}

# until_lines FILE COUNT PATTERN: waits until COUNT lines of the file start with PATTERN.
until_lines() {
    : >>"$1"  # the file may not exist yet
    timeout 60 grep -q -m "$2" "^$3" <(tail -n +1 -f --pid=$$ "$1") ||
        { echo "no $2 lines of $3:"; tail -n 20 "$1"; exit 1; }
}

# until_more FILE HOW_MANY PATTERN: waits for so many lines beyond those that are there.
until_more() { until_lines "$1" $(($(grep -c "^$3" "$1" || true) + $2)) "$3"; }

# lose PERCENT PROTOCOL: so many of the packets that come to b are dropped, until heal.
lose() {
    on b nft -f - <<RULES
table inet lossy {
    chain in {
        type filter hook input priority 0;
        iifname "wire" meta l4proto $2 numgen random mod 100 < $1 drop
    }
}
RULES
}
heal() { on b nft delete table inet lossy; }
