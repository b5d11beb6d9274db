# shellcheck shell=bash
# Set-up: installs missing packages. Sourced by ./run.

# The releases of Debian that packages.txt has names for, the newest last.
readonly RELEASES=(12 13)

# system_name: prints the system as `debian 13`.
system_name() {
    sed -nE 's/^(ID|VERSION_ID)="?([^"]*)"?$/\2/p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | sort -r | paste -sd' '
}

# wanted_packages GROUP...: prints the names below [GROUP] in tools/packages.txt, for this release or else the newest.
wanted_packages() {
    local group release
    release=$(system_name)
    release=${release#debian }
    [[ " ${RELEASES[*]} " == *" $release "* ]] || release=${RELEASES[-1]}
    for group in "$@"; do
        awk -v heading="[$group]" -v release="$release" '
            /^\[/ { inside = ($1 == heading); next }
            inside && NF && !/^#/ && ($2 != "on" || $3 == release) { print $1 }' "$ROOT/tools/packages.txt"
    done
}

# missing_packages GROUP...: prints those of them that are not installed.
missing_packages() {
    local wanted
    mapfile -t wanted < <(wanted_packages "$@")
    printf '%s\n' "${wanted[@]}" | grep -vxFf <(
        dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p')
}

# need_packages GROUP...: installs missing packages, or prints what to do. Silent, and without network access,
# if nothing is missing.
need_packages() {
    [[ -z ${CARIBOU_NO_SETUP:-} ]] || return 0
    check_system "$@"
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    leave_out_parts
    ((${#missing[@]})) || return 0

    local as_root=()
    if ((EUID != 0)); then
        # sudo asks for the password here, on the terminal.
        if ! { command -v sudo >/dev/null && sudo -v; }; then
            say "set-up: these packages are missing, and you may not install them; as root, call"
            say "    apt-get update && apt-get install --no-install-recommends ${missing[*]}"
            exit 1
        fi
        as_root=(sudo)
    fi
    stage "set-up: package lists" "${as_root[@]}" apt-get update -q || exit 1
    leave_out_parts
    ((${#missing[@]})) || return 0
    say "set-up: installs $(install_size "${missing[@]}")"
    stage "set-up: packages" install_packages "${missing[@]}" || exit 1
}

# leave_out_parts: removes from `missing` the packages that this Debian does not have and whose part can be left out,
# with a message for each. Does nothing while apt has no package lists.
leave_out_parts() {
    has_package g++ || return 0
    local package part rest=()
    for package in "${missing[@]}"; do
        part=$(awk -v name="$package" '$1 == name && $2 == "part" { sub(/^[^ ]+ +part +/, ""); print; exit }' "$ROOT/tools/packages.txt")
        if [[ -n $part ]] && ! has_package "$package"; then
            say "set-up: this system has no package $package; left out: $part"
        else
            rest+=("$package")
        fi
    done
    missing=("${rest[@]}")
}

# has_package NAME: whether apt's package lists contain it.
has_package() { [[ -n $(apt-cache madison "$1" 2>/dev/null) ]]; }

# check_system GROUP...: exits with a message, before anything is installed, on systems other than those of packages.txt.
check_system() {
    local system release
    system=$(system_name)
    for release in "${RELEASES[@]}"; do
        [[ $system != "debian $release" ]] || return 0
    done
    say "set-up: error: Caribou is built on Debian 12 (bookworm) and 13 (trixie); this system is ${system:-unknown}"
    say "Use such a machine or container. To try it here all the same, install the counterparts of these"
    say "packages yourself and call CARIBOU_NO_SETUP=1 ./run …"
    wanted_packages "$@" | paste -sd' ' >&2
    exit 1
}

# install_size PACKAGE...: prints what apt would install for these packages and their dependencies.
install_size() {
    apt-get install --assume-no --no-install-recommends "$@" 2>/dev/null | awk '
        / newly installed/ { count = $3 }
        sub(/^Need to get ([^ ]+ [kMG]?B\/)?/, "") { sub(/ of archives.*/, ""); fetch = $0 }
        /^After this operation/ { disk = $4 " " $5 }
        END { printf "%s packages: %s to download, %s on disk\n", count, fetch, disk }'
}

install_packages() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@"
}
