# `cpack`, called by `./run package`: one .deb of the component `runtime`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME caribou)
set(CPACK_PACKAGE_CONTACT "The Caribou developers <caribou@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "robot runtime: bus, topics, behaviors, cubes, robots and their station")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
"Caribou runs small robots: a publish/subscribe broker that speaks the MOOS
protocol, behaviors with a guaranteed lifecycle, motion safety, and a ground
station with a page for the browser. It simulates robots, too.")
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME caribou)
set(CPACK_DEBIAN_RUNTIME_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
# Without dpkg-shlibdeps CPack only warns, and the package would not depend on its libraries.
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/check_depends.cmake)
include(CPack)

# Debian requires a changelog in its own format. It is in the package only.
configure_file(packaging/debian/changelog.in ${CMAKE_BINARY_DIR}/package/changelog @ONLY)
install(CODE "execute_process(COMMAND gzip --best --no-name --force --keep ${CMAKE_BINARY_DIR}/package/changelog
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT runtime EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/package/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime
  EXCLUDE_FROM_ALL)
install(FILES packaging/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME caribou
  COMPONENT runtime EXCLUDE_FROM_ALL)
