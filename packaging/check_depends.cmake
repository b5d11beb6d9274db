# Run by cpack on the finished packages: deletes one that does not name the libraries it needs, and fails.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  execute_process(COMMAND dpkg-deb --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
  if(NOT depends MATCHES "libc6.*libssl3")
    file(REMOVE ${package})
    message(FATAL_ERROR "the package does not list the libraries it needs (Depends: ${depends}); "
      "install dpkg-dev and file, and build it again")
  endif()
endforeach()
