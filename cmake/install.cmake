# `cmake --install`: the program, the components (components.cmake), their public headers, and the package
# for find_package(caribou). Headers are in include/caribou/<module>/; both
# `#include <caribou/bus/client.hpp>` and `#include "bus/client.hpp"` work.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/caribou)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/public_headers.txt)
file(STRINGS src/public_headers.txt headers REGEX "^[^#]")
foreach(header ${headers})
  get_filename_component(module ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/caribou/${module} COMPONENT dev)
endforeach()

install(EXPORT caribou NAMESPACE caribou:: FILE caribou-targets.cmake DESTINATION ${package_dir}
  COMPONENT dev)
get_property(components GLOBAL PROPERTY caribou_components)
get_property(component_lines GLOBAL PROPERTY caribou_component_lines)
list(JOIN components ", " components_text)
list(JOIN components " " components)
configure_package_config_file(cmake/caribou-config.cmake.in ${CMAKE_BINARY_DIR}/package/caribou-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 every minor version may break compatibility.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/caribou-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/caribou-config.cmake
  ${CMAKE_BINARY_DIR}/package/caribou-config-version.cmake DESTINATION ${package_dir} COMPONENT dev)

# The installation component `runtime` is everything that a machine needs to run Caribou; `dev` and `python` are what
# programs that use it need.
# Sample robots, trees, worlds, missions, scenarios and lights, and a layout for Foxglove.
install(DIRECTORY examples/robots examples/trees examples/worlds examples/missions examples/scenarios examples/lights examples/foxglove examples/ros2
  DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou COMPONENT runtime)
# Robots start programs in Python, which are also examples to read.
install(DIRECTORY examples/python DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou COMPONENT runtime)
install(DIRECTORY examples/drivers DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou USE_SOURCE_PERMISSIONS COMPONENT runtime)
# The folder of the documents has the layout of the repository, so that their links and commands work there.
install(FILES README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY tests/golden DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests COMPONENT runtime)
install(DIRECTORY examples/firmware DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT runtime PATTERN "*.elf" EXCLUDE)
install(DIRECTORY examples/python DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT runtime)
file(GLOB tutorials CONFIGURE_DEPENDS examples/*.cpp)
install(FILES examples/README.md ${tutorials} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT runtime)
foreach(samples robots trees worlds missions scenarios lights foxglove drivers ros2)
  install(CODE "file(CREATE_LINK ../../../caribou/${samples}
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/examples/${samples}\" SYMBOLIC)" COMPONENT runtime)
endforeach()

if(TARGET caribou)
  install(TARGETS caribou RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  install(FILES ${CMAKE_BINARY_DIR}/caribou.bash RENAME caribou
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  # The units contain the path of the program, which is known at installation.
  foreach(unit caribou-robot caribou-station)
    install(CODE "
      set(bindir \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR})
      configure_file(${PROJECT_SOURCE_DIR}/packaging/${unit}.service.in ${CMAKE_BINARY_DIR}/units/${unit}.service @ONLY)"
      COMPONENT runtime)
    install(FILES ${CMAKE_BINARY_DIR}/units/${unit}.service DESTINATION lib/systemd/system COMPONENT runtime)
  endforeach()
  install(FILES packaging/caribou.preset DESTINATION lib/systemd/system-preset RENAME 80-caribou.preset
    COMPONENT runtime)
  install(FILES packaging/robot.toml packaging/station.toml
    DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou/service COMPONENT runtime)
  # The web page, if ./run has built it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/ DESTINATION ${CMAKE_INSTALL_DATADIR}/caribou/web
    COMPONENT runtime OPTIONAL)
endif()

# Last: the list of installed files that `caribou robot --check-install` compares with the disk. It contains
# the program and the files it reads, not the development files.
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
