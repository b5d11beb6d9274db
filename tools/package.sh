# shellcheck shell=bash
# Checks of the package that take minutes, for ./run test --full. Sourced by ./run.

package_checks() {
    count_stage "test package: lintian" check_lintian
    count_stage "test package: bare Debian $(this_release)" check_in_chroot
}

test_package() {
    place_page && rm -rf build/package-test &&
        cpack --config build/release-tests/CPackConfig.cmake -B build/package-test
}

check_lintian() {
    test_package && lintian --fail-on error,warning build/package-test/*.deb && passed_here=1
}

# The release of Debian that this machine has.
this_release() {
    local system
    system=$(system_name)
    echo "${system#debian }"
}

check_in_chroot() {
    test_package && with_root tests/install/chroot_test.sh build/package-test "$(this_release)" && passed_here=1
}

with_root() {
    local sudo=()
    ((EUID == 0)) || sudo=(sudo)
    "${sudo[@]}" "$@"
}
