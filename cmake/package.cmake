# `cpack`, called by `./run package`: caribou (component `runtime`), libcaribou-dev (`dev`) and python3-caribou (`python`).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME caribou)
set(CPACK_PACKAGE_CONTACT "The Caribou developers <caribou@localhost>")
set(CPACK_COMPONENTS_ALL runtime dev)
if(CARIBOU_PYTHON_DEPENDS)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
# Without dpkg-shlibdeps CPack only warns, and the package would not depend on its libraries.
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/check_depends.cmake)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"robot runtime: bus, topics, behaviors, cubes, robots and their station
Caribou runs small robots: a publish/subscribe broker that speaks the MOOS
protocol, behaviors with a guaranteed lifecycle, motion safety, and a ground
station with a page for the browser. It simulates robots, too.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME caribou)
set(CPACK_DEBIAN_RUNTIME_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Each component of find_package(caribou) needs libraries of its own; those of `bus` are needed by all.
set(CPACK_COMPONENT_DEV_DESCRIPTION
"robot runtime: headers and libraries
Static libraries, headers, CMake package and pkg-config files of Caribou, for
programs in C++: clients of the bus, MOOS apps, behaviors, cubes, negotiated
topics, robots with behaviors of their own, and tests of those. The suggested packages are needed by the
components that use them.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libcaribou-dev)
set(CPACK_DEBIAN_DEV_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev, libspdlog-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "cyclonedds-dev, libdeflate-dev, libgpiod-dev, libsdbus-c++-dev, libsodium-dev, libssl-dev, libsystemd-dev, libturbojpeg0-dev, libzstd-dev, pkg-config, zlib1g-dev")

set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"robot runtime: clients and apps in Python
A client of the bus and the frame of an app, for programs in Python that share
variables with robots and with MOOS programs; behaviors of robots, and their
tests on a simulated robot; negotiated topics, also with nodes of ROS 2.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-caribou)
set(CPACK_DEBIAN_PYTHON_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${CARIBOU_PYTHON_DEPENDS}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pytest")
include(CPack)

# Debian requires a changelog in its own format, and the license, in each package. They are in the packages only.
configure_file(packaging/debian/changelog.in ${CMAKE_BINARY_DIR}/package/changelog @ONLY)
install(CODE "execute_process(COMMAND gzip --best --no-name --force --keep ${CMAKE_BINARY_DIR}/package/changelog
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT runtime EXCLUDE_FROM_ALL)
foreach(pair runtime:caribou dev:libcaribou-dev python:python3-caribou)
  string(REPLACE ":" ";" pair ${pair})
  list(POP_FRONT pair component package)
  install(FILES ${CMAKE_BINARY_DIR}/package/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES packaging/debian/${package}.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME ${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
