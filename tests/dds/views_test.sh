#!/bin/bash
# A robot on one machine and its station on another, both with [topics] transport = "dds": what the robot shows
# arrives, with loss, and again after a cut and a rejoin. usage: views_test.sh CARIBOU VIEW_WATCHER LAN_PEER
# shellcheck source=tests/dds/two_machines.sh
. "$(dirname "$0")/two_machines.sh"
caribou=$1
watcher=$2
peer=$3

topics='[topics]
transport = "dds"
domain = 6
insecure_lan = true
interface = "wire"'
cat >"$folder/robot.toml" <<TOML
name = "rover"
ServerIP = "10.77.0.2"
ReceivePort = 0
[link]
keys = "$folder/robot_keys"
record = "$folder/rover.link"
[bus]
host = true
address = "127.0.0.1:0"
$topics
peers = ["10.77.0.2"]
TOML
cat >"$folder/station.toml" <<TOML
listen = "10.77.0.2:9600"
[link]
keys = "$folder/station_keys"
$topics
peers = ["10.77.0.1"]
TOML
"$caribou" pair make rover --keys "$folder/station_keys" >"$folder/words"
grep -E '^  ([a-z]{6} ){4}[a-z]{6}$' "$folder/words" |
    "$caribou" pair add station --keys "$folder/robot_keys" >"$folder/added"

station=$folder/station.out
begin b "$station" "$caribou" station --config "$folder/station.toml" --web 127.0.0.1:0
station_pid=$!
until_lines "$station" 1 "caribou station: programs ask"
begin a "$folder/robot.out" "$caribou" robot --config "$folder/robot.toml"
robot_pid=$!
address=$(sed -n 's|.*programs ask at http://\(.*\)/|\1|p' "$station")
seen=$folder/seen
begin b "$seen" "$watcher" "$address" rover

views="scan map behaviors cubes bus topics health"
for view in $views; do until_lines "$seen" 2 "$view "; done
echo "each view arrives: $views"
on b "$caribou" topics list --transport dds --domain 6 --insecure-lan --interface wire >"$folder/topics"
until_lines "$folder/topics" 1 '/rover/scan/delta .* 1 writers, 1 readers'
echo "over DDS"

lose 10 udp
for view in $views; do until_more "$seen" 5 "$view "; done
heal
echo "a tenth of the packets lost: each view goes on"

# Long enough for DDS to forget who is on the other side, too: two other programs show when.
heard=$folder/heard
begin b "$heard" "$peer" hear 6 wire
begin a "$folder/complaints" "$peer" say 6 wire
until_lines "$heard" 1 heard
ip -n "$name-a" link set wire down
until_lines "$seen" 1 "mode wait"
until_lines "$heard" 1 gone
echo "a cut is noticed"
ip -n "$name-a" link set wire up
for view in $views; do until_more "$seen" 3 "$view "; done
echo "after the rejoin each view is fresh again"

ip -n "$name-a" link del wire
for pid in $robot_pid $station_pid; do
    kill -TERM "$pid"
    ends "$pid" || { echo "$pid does not end without its network"; exit 1; }
done
echo "without their network they end when they are told to"
