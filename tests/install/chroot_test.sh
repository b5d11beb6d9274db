#!/usr/bin/env bash
# Installs the package on a bare Debian 12 (debootstrap --variant=minbase), uses, reinstalls, removes and purges it.
# chroot_test.sh PACKAGE.deb. Needs root and, for the first time, the Internet: the bare system is kept in
# $CARIBOU_CHROOT_CACHE, build/debian12.tar unless set.
set -euo pipefail

package=$(realpath "$1")
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${CARIBOU_CHROOT_CACHE:-$top/build/debian12.tar}
mirror=$(cat /etc/apt/sources.list{,.d/*} 2>/dev/null |
    sed -nE 's,^(deb|URIs:) +(\[[^]]*\] +)?(https?://[^ ]+/debian/?)( .*)?$,\3,p' | sort -u | head -n 1) || true

fail() {
    echo "FAILED: $*"
    exit 1
}

# Everything below happens in mount and network namespaces that end with this script.
if [[ ${2:-} != inside ]]; then
    if [[ ! -f $cache ]]; then
        bare=$(mktemp -d)
        debootstrap --variant=minbase --include=ca-certificates bookworm "$bare" ${mirror:+"$mirror"}
        tar -C "$bare" -cf "$cache.new" . && mv "$cache.new" "$cache"
        rm -rf "$bare"
    fi
    root=$(mktemp -d)
    trap 'rm -rf --one-file-system "$root"' EXIT
    tar -C "$root" -xpf "$cache"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp "$package" "$root/caribou.deb"
    unshare --mount --pid --fork "$0" "$package" inside "$root"
    exit
fi
root=$3
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
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
    -o -path ./run -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print | sort); }

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

# A new version keeps stored state and edited files.
echo '# edited' >>"$root/etc/caribou/robot.toml"
mkdir -p "$root/var/lib/caribou/keys" && echo kept >"$root/var/lib/caribou/keys/a.key"
in_root dpkg --install /caribou.deb
grep -q '# edited' "$root/etc/caribou/robot.toml" || fail "an upgrade replaced a configuration"
grep -q kept "$root/var/lib/caribou/keys/a.key" || fail "an upgrade lost a key"

# Removal keeps configuration files, purging keeps only the user.
in_root apt-get remove -y -q caribou
[[ -f $root/etc/caribou/robot.toml && ! -e $root/usr/bin/caribou ]] || fail "removal"
in_root apt-get purge -y -q caribou
files >"$root/tmp/after"
left=$(comm -13 "$root/tmp/before" "$root/tmp/after" | grep -vE '^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$' || true)
[[ -z $left ]] || fail "purge leaves: $left"
echo "the package installs, works, upgrades and goes"
