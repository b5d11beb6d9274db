# shellcheck shell=bash
# Checks of the package that take minutes, for ./run test --full. Sourced by ./run.

package_checks() {
    count_stage "test package: lintian" check_lintian
    count_stage "test package: bare Debian 12" check_in_chroot
}

test_package() {
    place_page && rm -rf build/package-test &&
        cpack --config build/release-tests/CPackConfig.cmake -B build/package-test
}

check_lintian() {
    test_package && lintian --fail-on error,warning build/package-test/caribou_*.deb && passed_here=1
}

check_in_chroot() {
    local as_root=()
    ((EUID == 0)) || as_root=(sudo)
    test_package && "${as_root[@]}" tests/install/chroot_test.sh build/package-test/caribou_*.deb && passed_here=1
}
