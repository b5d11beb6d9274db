# shellcheck shell=bash
# Building and testing one preset. Sourced by ./run.

# build_preset PRESET [TARGET...]: configures where needed, and builds. A failure counts as a
# failed test.
build_preset() {
    stage "build $1" configure_and_build "$@" || {
        failed=$((failed + 1))
        return 1
    }
}

configure_and_build() {
    local preset=$1 targets=()
    shift
    (($# == 0)) || targets=(--target "$@")
    local start=$EPOCHREALTIME status=0
    configure "$preset" && cmake --build "build/$preset" --parallel "$JOBS" "${targets[@]}" || status=$?
    slowest_steps "$start" "build/$preset/.ninja_log"
    ((status == 0)) && note_left_out "$preset"
}

# slowest_steps TIME LOG: prints the ten slowest steps of a build that began at TIME, from ninja's log, the slowest first.
slowest_steps() {
    local steps
    # The columns are begin and end in ms, time of the output in ns, output, command.
    steps=$(awk -v since="$1" '$3 / 1e9 >= since { printf "%.1f %s\n", ($2 - $1) / 1000, $4 }' "$2" 2>/dev/null |
        sort -rn | head -n 10)
    [[ -z $steps ]] || echo "The slowest steps of the build:"
    awk 'NF { printf "%9.1f s  %s\n", $1, $2 }' <<<"$steps"
}

# note_left_out PRESET: adds what the build lacks, because a library is missing, to the line of the stage.
note_left_out() {
    local parts
    parts=$(paste -sd, "build/$1/left_out.txt" 2>/dev/null) || true
    [[ -z $parts ]] || note="left out: ${parts//,/, }"
}

# announce_build PRESET: prints how long the build will take if it is the first one.
announce_build() {
    [[ -x build/$1/caribou ]] || say "the first build takes about ten minutes on two cores; later ones compile only what changed"
}

# Later changes of CMake files are seen by the build itself, those of the presets are not, nor a library that was
# missing and is installed now.
configure() {
    [[ build/$1/build.ninja -nt CMakePresets.json && ! -s build/$1/left_out.txt ]] || cmake --preset "$1"
}

# suite PRESET [CTEST-OPTION...]: runs the tests of a built preset and counts them.
suite() {
    stage "test $1" run_ctest "$@"
}

run_ctest() {
    local preset=$1 status=0 bad=0 total=0
    shift
    ctest --preset "$preset" --parallel "$JOBS" "$@" || status=$?
    slowest_tests <"$stage_log"
    read -r bad total < <(
        sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$stage_log") || bad=0 total=0
    # A run without a test proves nothing.
    ((total > 0)) || status=1
    # ctest itself failed, before or after the tests.
    ((status == 0 || bad > 0)) || bad=1 total=$((total + 1))
    passed=$((passed + total - bad))
    failed=$((failed + bad))
    note="$((total - bad)) of $total tests"
    return "$status"
}

# slowest_tests: prints the ten slowest tests of ctest's output as a table, the slowest first.
slowest_tests() {
    local slowest
    slowest=$(sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec$/\2 \1/p' | sort -rn | head -n 10)
    echo "The slowest tests:"
    awk 'NF { printf "%9.2f s  %s\n", $1, $2 }' <<<"$slowest"
}

# link_program PRESET: points build/caribou and build/python at the build of PRESET.
link_program() {
    if [[ ! -x build/$1/caribou ]]; then
        say "build/$1/caribou was not built: see apps/CMakeLists.txt"
        return 1
    fi
    ln -sfn "$1/caribou" build/caribou
    ln -sfn "$1/python" build/python
}
