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

# Trees, worlds and robots to begin with, and a robot as a service.
install(DIRECTORY examples/trees examples/worlds examples/robots DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou)
install(FILES packaging/caribou-robot.service DESTINATION lib/systemd/system)

if(TARGET caribou)
  install(TARGETS caribou RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${CMAKE_BINARY_DIR}/caribou.bash RENAME caribou
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  # The page, if ./run has built it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/ DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou/web OPTIONAL)
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
]])
