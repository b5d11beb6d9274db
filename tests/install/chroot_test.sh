#!/usr/bin/env bash
# Installs the packages on a bare Debian (bare_system.sh), uses, reinstalls, removes and purges them.
# chroot_test.sh FOLDER RELEASE, with the packages caribou, libcaribou-dev and python3-caribou, and 12 or 13. Needs root and
# the Internet.
set -euo pipefail

folder=$(realpath "$1")
release=$2
package=$(echo "$folder"/caribou_*.deb)
# shellcheck source=tests/install/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

fail() {
    echo "FAILED: $*"
    exit 1
}

# Everything below happens in mount and network namespaces that end with this script.
if [[ ${3:-} != inside ]]; then
    root=$(mktemp -d)
    trap 'rm -rf --one-file-system "$root"' EXIT
    bare_system "$release" "$root"
    for each in caribou libcaribou-dev python3-caribou; do cp "$folder/$each"_*.deb "$root/$each.deb"; done
    unshare --mount --pid --fork "$0" "$folder" "$release" inside "$root"
    exit
fi
root=$4
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# Without a network, on loopback only.
alone() { unshare --net sh -c 'ip link set lo up && exec "$@"' sh chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 "$@"; }
# prints TEXT WORD...: `caribou WORD...` succeeds and prints TEXT.
prints() {
    local output
    output=$(alone caribou "${@:2}" 2>&1) || fail "caribou ${*:2}: $output"
    grep -q "$1" <<<"$output" || fail "caribou ${*:2} does not print '$1': $output"
}
# with_services COMMAND: a broker that keeps its values and the robot of the sample configuration run meanwhile, as root.
with_services() {
    # shellcheck disable=SC2016
    alone bash -ec 'caribou db --data /var/lib/caribou/values >/dev/null 2>&1 & broker=$!
        caribou robot --config /etc/caribou/robot.toml >/tmp/robot.log 2>&1 & robot=$!
        timeout 60 sh -c "until grep -q \"is ready\" /tmp/robot.log; do sleep 0.1; done"
        eval "$1"
        kill -INT $broker $robot; wait $broker $robot' bash "$1" || fail "$1: $(cat "$root/tmp/robot.log")"
}
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
    -o -path ./run -o -path ./root -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print | sort); }

in_root apt-get update -q
# The libraries first, to distinguish them from files that the package itself leaves behind.
mapfile -t depends < <(dpkg-deb --field "$package" Depends | tr ',' '\n' | sed -E 's/^ *([^ ]+).*/\1/')
in_root apt-get install -y -q --no-install-recommends "${depends[@]}"
files >"$root/tmp/before"
in_root apt-get install -y -q --no-install-recommends /caribou.deb

# The program works, without a compiler, a page of its own or the network.
prints 'This machine will do' doctor
prints 'files are as they were installed' robot --check-install
prints 'Caribou is at  http://127.0.0.1:' demo --seconds 5 --robots 2
alone caribou sim --seed 1 --hours 0.01 >/dev/null || fail "sim"
zcat "$root/usr/share/man/man1/caribou-robot.1.gz" | grep -q '^.SH NAME' || fail "no man page"
in_root bash -c 'source /usr/share/bash-completion/completions/caribou && complete -p caribou' >/dev/null || fail "no completion"
alone caribou robot --config /etc/caribou/robot.toml --check-config || fail "the sample configuration of the robot"
alone caribou station --config /etc/caribou/station.toml --check-config || fail "the sample configuration of the station"
[[ $(stat -c %U "$root/var/lib/caribou") != root ]] || fail "the services would run as root"
[[ -z $(find "$root/etc/systemd" -path '*.wants/caribou*') ]] || fail "a unit is enabled"

# A new version keeps edited files and stored state, also that of 0.1.0, which had its keys in /etc/caribou. The previous
# package is this one under its version.
dpkg-deb --raw-extract "$package" "$root/tmp/previous"
sed -i 's/^Version: .*/Version: 0.1.0/' "$root/tmp/previous/DEBIAN/control"
dpkg-deb --build "$root/tmp/previous" "$root/tmp/previous.deb" >/dev/null
rm -r "$root/tmp/previous"
in_root dpkg --install /tmp/previous.deb
echo '# edited' >>"$root/etc/caribou/robot.toml"
with_services 'caribou poke --wait 20 DEPTH=2 && caribou robot stop --config /etc/caribou/robot.toml'
rm -rf "$root/var/lib/caribou/keys"
mkdir -p "$root/etc/caribou/keys" && echo kept >"$root/etc/caribou/keys/a.key"
in_root dpkg --install /caribou.deb
[[ $(in_root dpkg --status caribou) != *'Version: 0.1.0'$'\n'* ]] || fail "the version is not newer than the previous one"
grep -q '# edited' "$root/etc/caribou/robot.toml" || fail "an upgrade replaced a configuration"
grep -q kept "$root/var/lib/caribou/keys/a.key" || fail "an upgrade lost a key"
rm "$root/var/lib/caribou/keys/a.key" # it is not a real one
with_services 'caribou query --wait 20 "DEPTH == 2" && grep "starts stopped: it was stopped by operator" /tmp/robot.log &&
    caribou robot release --config /etc/caribou/robot.toml'

# Removal keeps configuration files, purging keeps only the user.
in_root apt-get remove -y -q caribou
[[ -f $root/etc/caribou/robot.toml && ! -e $root/usr/bin/caribou ]] || fail "removal"
in_root apt-get purge -y -q caribou
files >"$root/tmp/after"
left=$(comm -13 "$root/tmp/before" "$root/tmp/after" | grep -vE '^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$' || true)
[[ -z $left ]] || fail "purge leaves: $left"

# Programs in C++ and Python, with nothing but the packages, a compiler and CMake.
in_root apt-get install -y -q --no-install-recommends g++ cmake make /caribou.deb /libcaribou-dev.deb /python3-caribou.deb
alone caribou new app pDepth --folder /tmp/pDepth >/dev/null || fail "caribou new app"
in_root sh -c 'cmake -S /tmp/pDepth -B /tmp/pDepth/build && cmake --build /tmp/pDepth/build && cd /tmp/pDepth/build && ctest' ||
    fail "an app does not build with libcaribou-dev"
alone python3 -c 'import caribou; caribou.comms()' || fail "python3-caribou"
echo "the packages install, work, upgrade and go"
