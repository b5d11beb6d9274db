# Builds the package of the build tree BUILT below SCRATCH, and checks its contents.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
function(make_package status_name folder)
  execute_process(COMMAND ${ARGN} ${CMAKE_CPACK_COMMAND} --config ${BUILT}/CPackConfig.cmake -B ${SCRATCH}/${folder}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(GLOB package ${SCRATCH}/${folder}/*.deb)
  set(${status_name} ${status} PARENT_SCOPE)
  set(package ${package} PARENT_SCOPE)
  set(output ${output} PARENT_SCOPE)
endfunction()

# It depends on the libraries of the program, and on the tools that its scripts call.
make_package(status package)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cpack failed with ${status}:\n${output}")
endif()
execute_process(COMMAND dpkg-deb --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
foreach(needed adduser libc6 libddsc0debian libdeflate0 libfmt9 libgpiod2 libpng16-16 libqrencode4 libsdbus-c++1 libsodium23
    libspdlog1.10-fmt9 libssl3 libstdc++6 libsystemd0 libzstd1 zlib1g)
  string(FIND ", ${depends}" ", ${needed}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "the package does not depend on ${needed}: ${depends}")
  endif()
endforeach()

# Its files. Maintainer scripts are executable, units are disabled by their preset.
file(MAKE_DIRECTORY ${SCRATCH}/unpacked)
execute_process(COMMAND dpkg-deb --raw-extract ${package} ${SCRATCH}/unpacked COMMAND_ERROR_IS_FATAL ANY)
foreach(file DEBIAN/postinst DEBIAN/prerm DEBIAN/postrm
    usr/share/man/man1/caribou.1.gz usr/share/man/man1/caribou-robot.1.gz usr/share/bash-completion/completions/caribou
    usr/share/caribou/worlds/room.toml usr/share/caribou/robots/explorer.toml usr/share/caribou/missions/depth.moos
    usr/share/caribou/service/robot.toml usr/share/caribou/service/station.toml usr/share/doc/caribou/docs/robot.md
    usr/share/doc/caribou/copyright usr/share/doc/caribou/changelog.gz
    usr/lib/systemd/system/caribou-robot.service usr/lib/systemd/system/caribou-station.service
    usr/lib/systemd/system-preset/80-caribou.preset)
  if(NOT EXISTS ${SCRATCH}/unpacked/${file})
    message(FATAL_ERROR "the package has no ${file}")
  endif()
endforeach()
execute_process(COMMAND ${SCRATCH}/unpacked/usr/bin/caribou robot --check-install OUTPUT_VARIABLE said
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "files are as they were installed")
  message(FATAL_ERROR "the package's manifest is not checked: ${said}")
endif()

# Without dpkg-shlibdeps or file, building the package fails.
set(as_root "")
if(NOT "$ENV{USER}" STREQUAL root)
  set(as_root --map-root-user)
endif()
foreach(tool dpkg-shlibdeps file)
  make_package(status without-${tool} unshare --mount ${as_root}
    sh -c "mount --bind /dev/null /usr/bin/${tool} && exec \"$@\"" sh)
  if(status EQUAL 0 OR package)
    message(FATAL_ERROR "cpack made a package without ${tool}: ${status} ${package}\n${output}")
  endif()
endforeach()
