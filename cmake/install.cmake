# `cmake --install`: the program, the rooms as libraries, their public headers, and the package
# that find_package(caribou) finds. Headers stand in include/caribou/<room>/; both
# `#include <caribou/bus/client.hpp>` and `#include "bus/client.hpp"` reach them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/caribou)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/public_headers.txt)
file(STRINGS src/public_headers.txt headers REGEX "^[^#]")
foreach(header ${headers})
  get_filename_component(room ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/caribou/${room})
endforeach()

install(EXPORT caribou NAMESPACE caribou:: FILE caribou-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/caribou-config.cmake.in ${CMAKE_BINARY_DIR}/package/caribou-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 every minor version may break what was promised.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/caribou-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/caribou-config.cmake
  ${CMAKE_BINARY_DIR}/package/caribou-config-version.cmake DESTINATION ${package_dir})

# What a machine needs that only runs Caribou is the component `runtime`, of which a package is made.
# Robots, trees and worlds to begin with.
install(DIRECTORY examples/robots examples/trees examples/worlds DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou
  COMPONENT runtime)

if(TARGET caribou)
  install(TARGETS caribou RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  install(FILES ${CMAKE_BINARY_DIR}/caribou.bash RENAME caribou
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES packaging/caribou-robot.service packaging/caribou-station.service
    DESTINATION lib/systemd/system COMPONENT runtime)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT runtime)
  # The page, if ./run has built it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/ DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou/web
    COMPONENT runtime OPTIONAL)
endif()

# Last of all: what was installed, so that a robot can tell whether it still is (`caribou robot
# --check-install`). The program and what it reads, not what others are built of.
install(CODE [[
  set(top "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  set(lines "")
  foreach(path IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH name ${CMAKE_INSTALL_PREFIX} ${path})
    if(name MATCHES "^(bin/|share/caribou/|lib/systemd/)" AND NOT name MATCHES "manifest")
      file(SHA256 "$ENV{DESTDIR}${path}" digest)
      string(APPEND lines "${digest}  ${name}\n")
    endif()
  endforeach()
  file(WRITE "${top}/share/caribou/manifest.sha256" "${lines}")
]] COMPONENT runtime)

# `cpack`, which `./run package` calls: one .deb of the component `runtime`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME caribou)
set(CPACK_PACKAGE_CONTACT "The Caribou developers <caribou@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "robot runtime: bus, topics, behaviors, cubes, robots and their station")
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME caribou)
set(CPACK_DEBIAN_RUNTIME_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
