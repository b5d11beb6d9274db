#!/bin/bash
# Two machines on one wire, as network namespaces: topics over DDS with loss, after a cut, and after a rejoin.
# usage: lan_test.sh LAN_PEER. Ends with 77 where namespaces may not be made.
set -eu
peer=$1
name=caribou-$$
folder=$(mktemp -d)
pids=()
clean() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
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

heard=$folder/heard
ip netns exec "$name-b" "$peer" hear 5 wire >"$heard" &
pids+=($!)
ip netns exec "$name-a" "$peer" say 5 wire 2>"$folder/complaints" &
pids+=($!)

# until_heard HOW_MANY WHAT: waits until so many lines of it are there.
until_heard() {
    timeout 60 grep -q -m "$1" "^$2 " <(tail -n +1 -f --pid=$$ "$heard") ||
        { echo "no $1 lines of $2:"; tail -n 5 "$heard"; exit 1; }
}

until_heard 20 heard
echo "they hear each other"

ip netns exec "$name-b" nft -f - <<RULES
table inet lossy {
    chain in {
        type filter hook input priority 0;
        meta l4proto udp numgen random mod 100 < 20 drop
    }
}
RULES
so_far=$(grep -c heard "$heard")
until_heard $((so_far + 50)) heard
ip netns exec "$name-b" nft delete table inet lossy
# Reliable: with a fifth of all packets lost, nothing is missing and nothing comes twice.
awk '$1 == "heard" { if (last && $2 != last + 1) { print "after " last " came " $2; bad = 1 } last = $2 } END { exit bad }' "$heard"
echo "nothing is lost when a fifth of the packets is"

ip -n "$name-a" link set wire down
until_heard 1 gone
echo "a cut is noticed"
ip -n "$name-a" link set wire up
until_heard 2 joined
so_far=$(grep -c heard "$heard")
until_heard $((so_far + 20)) heard
echo "after the rejoin they hear each other again"
