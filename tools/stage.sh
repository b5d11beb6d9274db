# shellcheck shell=bash
# Stages of long work: one line each, with the elapsed time; their output goes to a log and is shown
# on failure. Also counts tests. Sourced by ./run.

passed=0
failed=0
note=""      # text that the running stage adds to its line
stage_log="" # where the running stage's output goes

say() { printf '%s\n' "$*" >&2; }

# Ctrl-C ends ./run. Without this trap the running tool would exit with an ordinary status, its stage would
# count as failed, and the next one would start. Runs when the tool has exited; `ticker` and `name` are
# those of the running stage.
interrupted() {
    trap - INT
    [[ -z ${ticker:-} ]] || kill "$ticker" 2>/dev/null
    [[ ! -t 2 ]] || printf '\r\033[K%-34s ' "${name:-run}" >&2
    say "interrupted"
    exit 130
}
trap interrupted INT

# stage NAME COMMAND [ARGUMENT...]: runs the command (usually a shell function).
stage() {
    local name=$1 start=$EPOCHREALTIME ticker="" status=0
    shift
    mkdir -p "$LOGS"
    stage_log=$LOGS/$(tr -cs 'a-z0-9\n' '-' <<<"${name,,}").log
    note=""
    : >"$stage_log"
    if [[ -t 2 ]]; then
        show_progress "$name" "$stage_log" &
        ticker=$!
    else
        printf '%-34s ' "$name" >&2
    fi
    "$@" >"$stage_log" 2>&1 || status=$?
    if [[ -n $ticker ]]; then
        kill "$ticker" 2>/dev/null
        wait "$ticker" 2>/dev/null
        printf '\r\033[K%-34s ' "$name" >&2
    fi
    local outcome=ok
    ((status == 0)) || outcome=FAILED
    printf '%-6s %8s  %s\n' "$outcome" "$(seconds_since "$start")" "$note" >&2
    ((status == 0)) || show_failure
    return "$status"
}

# On a terminal, shows the last line of the log while the stage runs.
show_progress() {
    local name=$1 log=$2 start=$SECONDS line
    while true; do
        line=$(tail -n 1 "$log" | tr -d '\r' | cut -c "1-$((${COLUMNS:-80} - 45))")
        printf '\r\033[K%-34s %3d s  %s' "$name" "$((SECONDS - start))" "$line" >&2
        sleep 0.5
    done
}

# Prints the failures of a log, without the lines of successful tests.
show_failure() {
    grep -vE '^ *Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test .* Passed |^\[[0-9]+/[0-9]+\] (Building|Linking)' "$stage_log" |
        tail -n 200 >&2
    say "(all of it: ${stage_log#"$ROOT"/})"
}

seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", b - a }'; }

# Prints the last lines of a test run and returns its result. The count is always the last one.
count_line() {
    printf 'total time: %d:%02d min\n' $((SECONDS / 60)) $((SECONDS % 60))
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}
