# shellcheck shell=bash
# The fuzz twins: src/<room>/<twin>.cpp with <twin> = x_fuzz, corpus in fuzz/corpus/<twin>/.
# Sourced by ./run.

export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-19/bin/llvm-symbolizer

# fuzz_twins [NAME]: the names of all twins, or of the one meant by NAME.
fuzz_twins() {
    find src tests -name '*_fuzz.cpp' -printf '%f\n' | sed 's/\.cpp$//' | sort |
        if (($#)); then grep -xE "${1%_fuzz}_fuzz"; else cat; fi
}

# smoke_twin TWIN: a short run from the corpus that changes nothing in the repository. The twin is
# the one that was built with the sanitized tests, which spares a build of all rooms.
smoke_twin() {
    local twin=$1 fresh=build/fuzz/smoke/$1 found=build/fuzz/found/$1 corpora
    rm -rf "$fresh"
    mkdir -p "$fresh" "$found"
    corpora=("$fresh")
    [[ ! -d fuzz/corpus/$twin ]] || corpora+=("fuzz/corpus/$twin")
    "build/asan-ubsan/$twin" -runs=20000 -max_total_time=4 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$found/" "${corpora[@]}"
}

# fuzz_twin TWIN SECONDS: a long run. What widens the coverage is added to the corpus; what breaks
# is left in build/fuzz/found/.
fuzz_twin() {
    local twin=$1 seconds=$2 status=0
    local fresh=build/fuzz/fresh/$twin found=build/fuzz/found/$twin corpus=fuzz/corpus/$twin
    mkdir -p "$fresh" "$found" "$corpus"
    "build/fuzz/$twin" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -fork="$JOBS" \
        -artifact_prefix="$found/" "$fresh" "$corpus" || status=$?
    "build/fuzz/$twin" -merge=1 "$corpus" "$fresh"
    note="corpus: $(find "$corpus" -type f | wc -l) files"
    ((status == 0)) || note="inputs that break it: $found/"
    return "$status"
}
