# shellcheck shell=bash
# Set-up: the packages that this machine lacks. Sourced by ./run.

# wanted_packages GROUP...: the names below [GROUP] in tools/packages.txt.
wanted_packages() {
    local group
    for group in "$@"; do
        awk -v heading="[$group]" '
            /^\[/ { inside = ($1 == heading); next }
            inside && NF && !/^#/ { print $1 }' "$ROOT/tools/packages.txt"
    done
}

# missing_packages GROUP...: those of them that are not installed.
missing_packages() {
    local wanted
    mapfile -t wanted < <(wanted_packages "$@")
    printf '%s\n' "${wanted[@]}" | grep -vxFf <(
        dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p')
}

# need_packages GROUP...: installs what is missing, or says what to do. Silent and without any use
# of the network when everything is there.
need_packages() {
    [[ -z ${CARIBOU_NO_SETUP:-} ]] || return 0
    if ! command -v dpkg-query >/dev/null; then
        say "set-up: this is not a Debian system, so install the counterparts of these packages yourself:"
        wanted_packages "$@" | paste -sd' '
        say "and then call CARIBOU_NO_SETUP=1 ./run …"
        exit 1
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0

    local as_root=()
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            say "set-up: these packages are missing, and only root can install them:"
            say "    apt-get install --no-install-recommends ${missing[*]}"
            exit 1
        fi
        as_root=(sudo)
        sudo -v || exit 1 # asks for the password here, where people see it
    fi
    stage "set-up: ${#missing[@]} packages" install_packages "${missing[@]}" || exit 1
}

install_packages() {
    "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends "$@"
}
