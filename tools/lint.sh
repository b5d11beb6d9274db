# shellcheck shell=bash
# Lint: format, shellcheck, the words of comments, clang-tidy. Each counts as one test. Sourced by ./run.

readonly CPP_FOLDERS='^(src|apps|python|tests|bench|examples)/.*\.(cpp|hpp)$'

# lint SCOPE, with SCOPE changed or all.
lint() {
    local files cpp tidy
    mapfile -t files < <("${1}_files" | sort -u | while read -r file; do [[ ! -f $file ]] || echo "$file"; done)
    mapfile -t cpp < <(printf '%s\n' "${files[@]}" | grep -E "$CPP_FOLDERS")
    mapfile -t tidy < <(printf '%s\n' "${cpp[@]}" | translation_units | sort -u)
    lint_step "lint format" check_format "${cpp[@]}"
    lint_step "lint shellcheck" check_shell
    lint_step "lint English" tools/english.py
    lint_step "lint clang-tidy" check_tidy "$1" "${tidy[@]}"
}

lint_step() {
    if stage "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# Every file of the repository, also those that git does not know yet.
all_files() {
    git ls-files --cached --others --exclude-standard 2>/dev/null ||
        find . -path ./build -prune -o -path ./.git -prune -o -type f -printf '%P\n'
}

# What this branch adds to its upstream; without an upstream or with nothing added, what is not
# committed yet; with nothing of that either, the last commit.
changed_files() {
    local base
    git rev-parse --verify -q HEAD >/dev/null 2>&1 || {
        all_files
        return
    }
    if base=$(git merge-base HEAD '@{upstream}' 2>/dev/null) && [[ $base != "$(git rev-parse HEAD)" ]]; then
        :
    elif [[ -n $(git status --porcelain) ]]; then
        base=HEAD
    else
        # The first commit has nothing before it but the empty tree.
        base=$(git rev-parse --verify -q HEAD~ || git hash-object -t tree /dev/null)
    fi
    git diff --name-only "$base"
    git ls-files --others --exclude-standard
}

# Names on stdin; a header stands for the .cpp of its name, if there is one.
translation_units() {
    local file
    while read -r file; do
        [[ $file != *.hpp ]] || file=${file%.hpp}.cpp
        [[ ! -f $file ]] || echo "$file"
    done
}

check_format() {
    note="$# files"
    (($# == 0)) || clang-format-19 --dry-run -Werror "$@"
}

# Always all: ./run sources those in tools/, and it takes a second.
check_shell() {
    local others
    mapfile -t others < <(all_files | grep '\.sh$' | grep -v '^tools/')
    shellcheck --external-sources --check-sourced run .ci/run "${others[@]}"
}

# check_tidy SCOPE FILE...: for what changed, the quick checks of product code: the tests have been
# through the sanitizers. For all, everything. Files that no target of the lint preset compiles
# (such as the outside project of the install test) are left out.
check_tidy() {
    local scope=$1 file known=() analyzer=()
    shift
    [[ $scope != all ]] || analyzer=('--checks=clang-analyzer-*')
    if (($#)); then
        # Messages are made while building, and everything else includes them.
        configure_and_build lint caribou_msg_made || return
        for file in "$@"; do
            [[ $scope == all || $file != *_test.cpp ]] || continue
            ! grep -qF "/$file\"" build/lint/compile_commands.json || known+=("$file")
        done
    fi
    note="${#known[@]} files"
    ((${#known[@]} == 0)) || printf '%s\0' "${known[@]}" |
        xargs -0 -n 1 -P "$JOBS" clang-tidy-19 -p build/lint --quiet "${analyzer[@]}"
}
