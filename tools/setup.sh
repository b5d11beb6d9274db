# shellcheck shell=bash
# Set-up: installs missing packages. Sourced by ./run.

# wanted_packages GROUP...: prints the names below [GROUP] in tools/packages.txt.
wanted_packages() {
    local group
    for group in "$@"; do
        awk -v heading="[$group]" '
            /^\[/ { inside = ($1 == heading); next }
            inside && NF && !/^#/ { print $1 }' "$ROOT/tools/packages.txt"
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
    say "set-up: installs $(install_size "${missing[@]}")"
    stage "set-up: packages" install_packages "${missing[@]}" || exit 1
}

# check_system GROUP...: exits with a message, before anything is installed, on systems other than that of packages.txt.
check_system() {
    local system
    system=$(sed -nE 's/^(ID|VERSION_ID)="?([^"]*)"?$/\2/p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | sort -r | paste -sd' ')
    [[ $system != "debian 12" ]] || return 0
    say "set-up: error: Caribou is built on Debian 12 (bookworm); this system is ${system:-unknown}"
    say "Use a Debian 12 machine or container. To try it here all the same, install the counterparts of these"
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
