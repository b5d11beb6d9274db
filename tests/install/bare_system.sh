# shellcheck shell=bash
# A bare Debian (debootstrap --variant=minbase) as a folder, for tests of packages. Sourced by them; needs root.

# bare_system RELEASE FOLDER: unpacks Debian 12 or 13 to FOLDER, with the name servers of this machine. It is downloaded
# once, to debian12.tar or debian13.tar in $CARIBOU_CHROOT_CACHE, build/ unless set.
bare_system() {
    local release=$1 root=$2 names=([12]=bookworm [13]=trixie) top mirror cache bare
    top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    cache=${CARIBOU_CHROOT_CACHE:-$top/build}/debian$release.tar
    mirror=$(cat /etc/apt/sources.list{,.d/*} 2>/dev/null |
        sed -nE 's,^(deb|URIs:) +(\[[^]]*\] +)?(https?://[^ ]+/debian/?)( .*)?$,\3,p' | sort -u | head -n 1) || true
    if [[ ! -f $cache ]]; then
        bare=$(mktemp -d)
        debootstrap --variant=minbase --include=ca-certificates "${names[release]}" "$bare" ${mirror:+"$mirror"}
        tar -C "$bare" -cf "$cache.new" . && mv "$cache.new" "$cache"
        rm -rf "$bare"
    fi
    tar -C "$root" -xpf "$cache"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}
