# Run by cpack on the finished packages: fails and deletes them if one with programs does not name the libraries it needs.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  execute_process(COMMAND dpkg-deb --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
  if(NOT package MATCHES "-dev_" AND NOT depends MATCHES "libc6.*libfmt[0-9]")
    file(REMOVE ${CPACK_PACKAGE_FILES})
    message(FATAL_ERROR "the package does not list the libraries it needs (Depends: ${depends}); "
      "install dpkg-dev and file, and build it again")
  endif()
endforeach()
