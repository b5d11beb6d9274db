#!/bin/bash
# Topics over DDS between two machines: with loss, after a cut, and after a rejoin. usage: lan_test.sh LAN_PEER
# shellcheck source=tests/dds/two_machines.sh
. "$(dirname "$0")/two_machines.sh"
peer=$1
heard=$folder/heard
begin b "$heard" "$peer" hear 5 wire
begin a "$folder/complaints" "$peer" say 5 wire

until_lines "$heard" 20 heard
echo "they hear each other"

lose 20 udp
until_more "$heard" 50 heard
heal
# Reliable: with a fifth of all packets lost, no sample is missing or duplicated.
awk '$1 == "heard" { if (last && $2 != last + 1) { print "after " last " came " $2; bad = 1 } last = $2 } END { exit bad }' "$heard"
echo "nothing is lost when a fifth of the packets is"

ip -n "$name-a" link set wire down
until_lines "$heard" 1 gone
echo "a cut is noticed"
ip -n "$name-a" link set wire up
until_lines "$heard" 2 joined
until_more "$heard" 20 heard
echo "after the rejoin they hear each other again"
