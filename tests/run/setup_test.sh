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
printf 'ID=debian\nVERSION_ID="13"\n' >"$scratch/os-release"
for verb in demo build package test; do
    OS_RELEASE=$scratch/os-release "$top/run" "$verb" >"$scratch/out" 2>&1 && fail "./run $verb went on, on Debian 13"
    grep -q '^set-up: error: .*Debian 12.*; this system is debian 13$' "$scratch/out" ||
        fail "./run $verb does not name the system: $(cat "$scratch/out")"
    ! grep -qE '^(page|build|set-up: pack)' "$scratch/out" || fail "./run $verb began to work: $(cat "$scratch/out")"
done

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
