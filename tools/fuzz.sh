# shellcheck shell=bash
# The fuzz targets: src/<module>/<target>.cpp with <target> = x_fuzz, corpus in fuzz/corpus/<target>/.
# Sourced by ./run.

export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-19/bin/llvm-symbolizer

# fuzz_twins [NAME]: prints the names of all fuzz targets, or of the one selected by NAME.
fuzz_twins() {
    find src tests -name '*_fuzz.cpp' -printf '%f\n' | sed 's/\.cpp$//' | sort |
        if (($#)); then grep -xE "${1%_fuzz}_fuzz"; else cat; fi
}

# smoke_twin TARGET: a short run from the corpus that does not modify the repository. Uses the target
# built with the sanitized tests, which avoids a separate build of all modules.
smoke_twin() {
    local twin=$1 fresh=build/fuzz/smoke/$1 found=build/fuzz/found/$1 corpora
    rm -rf "$fresh"
    mkdir -p "$fresh" "$found"
    corpora=("$fresh")
    [[ ! -d fuzz/corpus/$twin ]] || corpora+=("fuzz/corpus/$twin")
    "build/asan-ubsan/$twin" -runs=20000 -max_total_time=4 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$found/" "${corpora[@]}"
}

# fuzz_twin TARGET SECONDS: a long run. Inputs that increase the coverage are added to the corpus; inputs that
# fail are written to build/fuzz/found/.
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
