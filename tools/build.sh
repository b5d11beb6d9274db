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
    configure "$preset" && cmake --build "build/$preset" --parallel "$JOBS" "${targets[@]}"
}

# Later changes of CMake files are seen by the build itself, those of the presets are not.
configure() {
    [[ build/$1/build.ninja -nt CMakePresets.json ]] || cmake --preset "$1"
}

# suite PRESET [CTEST-OPTION...]: runs the tests of a built preset and counts them.
suite() {
    stage "test $1" run_ctest "$@"
}

run_ctest() {
    local preset=$1 status=0 bad=0 total=0
    shift
    ctest --preset "$preset" --parallel "$JOBS" "$@" || status=$?
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

# link_program PRESET: points build/caribou and build/python at the build of PRESET.
link_program() {
    if [[ ! -x build/$1/caribou ]]; then
        say "build/$1/caribou was not built: see apps/CMakeLists.txt"
        return 1
    fi
    ln -sfn "$1/caribou" build/caribou
    ln -sfn "$1/python" build/python
}
