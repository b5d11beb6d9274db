#!/usr/bin/env bash
# ./run on machines that it was not written for, and without Node. Called with the top of the repository.
set -uo pipefail
top=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

# Another system: one message, before anything is installed or built.
for system in 'ID=debian VERSION_ID="11"' 'ID=ubuntu VERSION_ID="24.04"' 'ID=debian VERSION_ID="14"'; do
    tr ' ' '\n' <<<"$system" >"$scratch/os-release"
    for verb in demo build package test; do
        OS_RELEASE=$scratch/os-release "$top/run" "$verb" >"$scratch/out" 2>&1 && fail "./run $verb went on, on $system"
        grep -qE '^set-up: error: .*Debian 12 .* and 13 .*; this system is (debian|ubuntu) [0-9.]+$' "$scratch/out" ||
            fail "./run $verb does not name the system: $(cat "$scratch/out")"
        ! grep -qE '^(page|build|set-up: pack)' "$scratch/out" || fail "./run $verb began to work: $(cat "$scratch/out")"
    done
done

# Without the right to install packages, and without Node: ./run test lists all packages at once, before the build, each
# under its name in this release.
mkdir "$scratch/path"
for tool in awk bash cat cp cut date dirname env find grep gzip mkdir nproc paste rm sed sha256sum sort tail tr xargs; do
    ln -s "$(command -v "$tool")" "$scratch/path/$tool"
done
printf '#!/bin/sh\nexit 1\n' | tee "$scratch/path/dpkg-query" >"$scratch/path/sudo" # nothing is installed
printf '#!/bin/sh\nexit 0\n' >"$scratch/path/apt-cache"                             # there are no package lists
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$*" >>%s\n[ "$1" = update ]\n' "$scratch/apt" >"$scratch/path/apt-get"
chmod +x "$scratch"/path/{dpkg-query,sudo,apt-cache,apt-get}
# asks VERB: $scratch/out contains what ./run VERB prints, and the packages that it asks for.
asks() {
    rm -f "$scratch/apt"
    OS_RELEASE=$scratch/os-release PATH=$scratch/path "$top/run" "$1" >"$scratch/out" 2>&1 && fail "./run $1 went on"
    cat "$scratch/apt" >>"$scratch/out" 2>/dev/null # as root, apt-get is called with the packages
}
# for_package NAME: whether NAME is among the packages asked for.
for_package() { grep -qF -- " $1 " < <(sed -n 's/.*install.*/& /p' "$scratch/out"); }
for release in 12 13; do
    printf 'ID=debian\nVERSION_ID="%s"\n' "$release" >"$scratch/os-release"
    asks "test"
    for package in ninja-build clang-19 nodejs libsdbus-c++-dev "libboost1.$((release == 12 ? 81 : 83))-dev"; do
        for_package "$package" || fail "./run test does not ask for $package on $release: $(cat "$scratch/out")"
    done
    ! for_package "libboost1.$((release == 12 ? 83 : 81))-dev" || fail "./run test asks for another release's Boost"
done

# A package that Debian does not have: its part is left out, with a message; all others are installed.
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$2" = libsdbus-c++-dev ] || echo "$2 | 1 | main"\n' >"$scratch/path/apt-cache"
asks build
[[ $(grep -c 'no package libsdbus-c++-dev; left out: cubes over Bluetooth$' "$scratch/out") == 1 ]] ||
    fail "./run build does not say what is left out: $(cat "$scratch/out")"
for_package cyclonedds-dev || fail "./run build does not ask for the other packages: $(cat "$scratch/out")"
! for_package libsdbus-c++-dev || fail "./run build asks for a package that does not exist: $(cat "$scratch/out")"

# Nothing else is missing: neither the right to install packages nor the network is needed.
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor each; do [ "$each" = libsdbus-c++-dev ] || echo "installed $each"; done\n' >"$scratch/path/dpkg-query"
rm -f "$scratch/apt"
(cd "$scratch" && OS_RELEASE=$scratch/os-release PATH=$scratch/path bash -c \
    'ROOT=$1; say() { echo "$*"; }; source "$ROOT/tools/setup.sh"; need_packages build' sh "$top") >"$scratch/out" 2>&1 ||
    fail "a missing part stops ./run: $(cat "$scratch/out")"
grep -q 'left out: cubes over Bluetooth$' "$scratch/out" || fail "a missing part is not named: $(cat "$scratch/out")"
[[ ! -e $scratch/apt ]] || fail "apt-get is called although nothing can be installed: $(cat "$scratch/apt")"

# A wrong number of robots: refused at once, not after the build.
for robots in 0 201 two ""; do
    "$top/run" demo --robots "$robots" >"$scratch/out" 2>&1
    (($? == 2)) || fail "./run demo --robots '$robots' went on: $(cat "$scratch/out")"
    grep -q 'from 1 to 200' "$scratch/out" || fail "./run demo does not name the limits: $(cat "$scratch/out")"
done

# No Node: the page comes from web/page.
mkdir "$scratch/bin" "$scratch/tree"
for tool in bash cat cp cut find grep gzip mkdir rm sha256sum sort xargs; do
    ln -s "$(command -v "$tool")" "$scratch/bin/$tool"
done
cp -r "$top/tools" "$scratch/tree/"
mkdir -p "$scratch/tree/web" "$scratch/tree/src/data"
cp "$top"/src/data/*.msg "$scratch/tree/src/data/"
(cd "$top/web" && find . -path ./node_modules -prune -o -type f -print0 | xargs -0 cp --parents -t "$scratch/tree/web")
(cd "$scratch/tree" && PATH=$scratch/bin bash -c 'source tools/web.sh && place_page') >"$scratch/out" 2>&1 ||
    fail "the page was not placed without Node: $(cat "$scratch/out")"
diff -r --exclude='*.gz' "$top/web/page" "$scratch/tree/build/web" || fail "build/web differs from web/page"
[[ -f $scratch/tree/build/web/index.html.gz ]] || fail "the page is not compressed"

# No build yet: the time that it takes is printed before it begins, and never again.
cp "$top/run" "$top/CMakePresets.json" "$scratch/tree/"
mkdir "$scratch/fake" "$scratch/tree/build/release"
printf '#!/bin/sh\nexit 1\n' >"$scratch/fake/cmake"
chmod +x "$scratch/fake/cmake"
time_limit='takes about ten minutes on two cores'
for verb in demo build; do
    CARIBOU_NO_SETUP=1 PATH=$scratch/fake:$PATH "$scratch/tree/run" "$verb" >"$scratch/out" 2>&1
    grep -B 9 '^build release ' "$scratch/out" | grep -q "$time_limit" ||
        fail "./run $verb does not print how long the first build takes: $(cat "$scratch/out")"
done
touch "$scratch/tree/build/release/caribou" && chmod +x "$scratch/tree/build/release/caribou"
CARIBOU_NO_SETUP=1 PATH=$scratch/fake:$PATH "$scratch/tree/run" build >"$scratch/out" 2>&1
! grep -q "$time_limit" "$scratch/out" || fail "./run build takes the second build for the first one: $(cat "$scratch/out")"

# A build that lacks a part, because a library is missing, says so in its line.
printf '#!/bin/sh\nexit 0\n' >"$scratch/fake/cmake"
echo 'GPIO (libgpiod is missing)' >"$scratch/tree/build/release/left_out.txt"
CARIBOU_NO_SETUP=1 PATH=$scratch/fake:$PATH "$scratch/tree/run" build >"$scratch/out" 2>&1
grep -q '^build release .*left out: GPIO (libgpiod is missing)$' "$scratch/out" ||
    fail "./run build does not say what is left out: $(cat "$scratch/out")"

# The page is tested with the installed program, not with that of the build tree.
# shellcheck disable=SC2016
printf '#!/bin/sh\nwhile [ "$1" != --prefix ]; do shift; done\nmkdir -p "$2/bin" && touch "$2/bin/caribou"\n' >"$scratch/fake/cmake"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$*" = "run --silent page" ] && [ -f "$CARIBOU_PROGRAM" ] && echo "$CARIBOU_PROGRAM"\n' >"$scratch/fake/npm"
chmod +x "$scratch/fake/npm"
(cd "$scratch/tree" && PATH=$scratch/fake:$PATH bash -c 'source tools/web.sh && stage_log=/dev/null && web_page_tests') >"$scratch/out" 2>&1
grep -qx "$scratch/tree/build/web-test/installed/bin/caribou" "$scratch/out" ||
    fail "the page is not tested with the installed program: $(cat "$scratch/out")"
