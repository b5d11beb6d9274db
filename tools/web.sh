# shellcheck shell=bash
# The page of web/: built into build/web, where the program finds it. Sourced by ./run.

# need_node: requires Node 18 or later with npm from any source; installs Debian's if there is none.
need_node() {
    has_node || need_packages web
}

has_node() {
    command -v node >/dev/null && command -v npm >/dev/null || return
    [[ $(node --version) =~ ^v([0-9]+) ]] && ((BASH_REMATCH[1] >= 18))
}

# need_page: installs what place_page needs: Node, only if web/ differs from the page stored in web/page.
need_page() {
    page_is_current || need_node
}

# place_page: puts the page into build/web: the copy in web/page if it is current, a new build otherwise.
place_page() {
    local now
    now=$(web_hash) || return
    [[ ! -f build/web/index.html || $(cat build/web.stamp 2>/dev/null) != "$now" ]] || return 0
    if page_is_current; then
        rm -rf build/web && mkdir -p build && cp -r web/page build/web
    else
        build_page
    fi && compress_page && echo "$now" >build/web.stamp
}

build_page() {
    web_modules && (cd web && npm run --silent build)
}

# The station serves these compressed copies instead of compressing files itself.
compress_page() {
    find build/web -type f ! -name '*.gz' -exec gzip -9 --no-name --keep --force {} +
}

# keep_page: builds the page and stores it in web/page, for machines without Node.
keep_page() {
    build_page && rm -rf web/page && cp -r build/web web/page && web_hash >web/page.sha256 &&
        compress_page && web_hash >build/web.stamp
}

# check_kept_page: fails unless web/page equals the build of web/, byte for byte.
check_kept_page() {
    build_page || return
    if ! diff -r build/web web/page || ! page_is_current; then
        echo "web/page is not what web/ builds: call ./run page and commit web/page and web/page.sha256"
        return 1
    fi
    compress_page && passed_here=1
}

page_is_current() {
    [[ $(web_hash) == "$(cat web/page.sha256 2>/dev/null)" ]]
}

# Prints the hash of all sources of the page, including the descriptions of data and their generator.
web_hash() {
    find web src/data/*.msg tools/data_to_code.py tools/data tools/msg \( -path web/node_modules -o -path web/src/generated \
        -o -name __pycache__ -o -path web/page -o -path web/tests -o -path web/bench -o -name '*.test.ts' \
        -o -name page.sha256 \) -prune -o -type f -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

# web_modules: installs the packages of web/package-lock.json, if they differ from the installed ones.
web_modules() {
    [[ ! -f web/node_modules/.caribou-lock || $(<web/package-lock.json) != "$(<web/node_modules/.caribou-lock)" ]] || return 0
    (cd web && npm ci) && cp web/package-lock.json web/node_modules/.caribou-lock
}

# web_checks [QUICK]: type checks, unit tests and browser tests; with QUICK, unit tests only.
web_checks() {
    need_node
    count_stage "build page" check_kept_page
    count_stage "test page: units" web_tests unit
    [[ -z ${1:-} ]] || return 0
    count_stage "test page: types" web_types
    count_stage "test page: in a browser" web_page_tests
}

# count_stage NAME COMMAND...: a stage that sets passed_here and failed_here to its test counts.
count_stage() {
    local status=0
    passed_here=0 failed_here=0
    stage "$@" || status=$?
    # A run without a test proves nothing.
    ((status == 0 || failed_here > 0)) || failed_here=1
    ((passed_here + failed_here > 0)) || failed_here=1
    passed=$((passed + passed_here))
    failed=$((failed + failed_here))
}

# web_bench: measures the page, with the program of the bench preset.
web_bench() {
    need_node
    place_page >&2 && (cd web && CARIBOU_PROGRAM=../build/bench/caribou npm run --silent bench)
}

web_types() {
    (cd web && npm run --silent check) || return
    passed_here=1
}

# web_page_tests: browser tests of the program as it is installed from the preset release-tests.
web_page_tests() {
    local prefix=$PWD/build/web-test/installed
    rm -rf "$prefix" && cmake --install build/release-tests --component runtime --prefix "$prefix" &&
        CARIBOU_PROGRAM=$prefix/bin/caribou web_tests page
}

# web_tests SCRIPT: runs a script of web/package.json that prints node's test counts at its end.
web_tests() {
    local status=0
    (cd web && npm run --silent "$1") || status=$?
    passed_here=$(sed -nE 's/^# pass ([0-9]+)$/\1/p' "$stage_log" | tail -n 1)
    failed_here=$(sed -nE 's/^# (fail|cancelled) ([0-9]+)$/\2/p' "$stage_log" | awk '{ sum += $1 } END { print sum + 0 }')
    passed_here=${passed_here:-0}
    note="$passed_here of $((passed_here + failed_here)) tests"
    return "$status"
}
