# Builds the packages of the build tree BUILT below SCRATCH, and checks their contents.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
function(make_packages status_name folder)
  execute_process(COMMAND ${ARGN} ${CMAKE_CPACK_COMMAND} --config ${BUILT}/CPackConfig.cmake -B ${SCRATCH}/${folder}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(GLOB packages ${SCRATCH}/${folder}/*.deb)
  set(${status_name} ${status} PARENT_SCOPE)
  set(packages ${packages} PARENT_SCOPE)
  set(output ${output} PARENT_SCOPE)
endfunction()
# depends(PACKAGE needed...): the package depends on each, and on no other package.
function(depends PACKAGE)
  file(GLOB file ${SCRATCH}/packages/${PACKAGE}_*.deb)
  execute_process(COMMAND dpkg-deb --field ${file} Depends OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  string(STRIP "${found}" found)
  string(REGEX REPLACE " \\([^)]*\\)" "" found "${found}")
  string(REPLACE ", " ";" found "${found}")
  list(REMOVE_DUPLICATES found)
  list(SORT found)
  set(needed ${ARGN})
  list(SORT needed)
  if(NOT found STREQUAL needed)
    message(FATAL_ERROR "${PACKAGE} depends on ${found}, not on ${needed}")
  endif()
endfunction()
# contains(PACKAGE file...), after the package is unpacked to unpacked/PACKAGE.
function(contains PACKAGE)
  file(GLOB file ${SCRATCH}/packages/${PACKAGE}_*.deb)
  file(MAKE_DIRECTORY ${SCRATCH}/unpacked/${PACKAGE})
  execute_process(COMMAND dpkg-deb --raw-extract ${file} ${SCRATCH}/unpacked/${PACKAGE} COMMAND_ERROR_IS_FATAL ANY)
  foreach(file ${ARGN} usr/share/doc/${PACKAGE}/copyright usr/share/doc/${PACKAGE}/changelog.gz)
    if(NOT EXISTS ${SCRATCH}/unpacked/${PACKAGE}/${file})
      message(FATAL_ERROR "the package ${PACKAGE} has no ${file}")
    endif()
  endforeach()
endfunction()

make_packages(status packages)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cpack failed with ${status}:\n${output}")
endif()
# Libraries of the programs, and tools that the scripts call. Their names change from release to release.
file(STRINGS /etc/os-release release REGEX "^VERSION_ID=")
if(release MATCHES "12")
  set(fmt libfmt9)
  set(dds libddsc0debian)
  set(spdlog libspdlog1.10-fmt9)
  set(others libgpiod2 libpng16-16 libsdbus-c++1 libssl3)
else()
  set(fmt libfmt10)
  set(dds libddsc0t64)
  set(spdlog libspdlog1.15-fmt10)
  set(others libgpiod3 libpng16-16t64 libsdbus-c++2 libssl3t64)
endif()
depends(caribou adduser libc6 ${dds} libdeflate0 ${fmt} libgcc-s1 libqrencode4 libsodium23 ${spdlog} libstdc++6
  libsystemd0 libturbojpeg0 libzstd1 zlib1g ${others})
# What every component needs; the libraries of single components are suggested.
depends(libcaribou-dev libfmt-dev libspdlog-dev)
depends(python3-caribou libc6 ${dds} ${fmt} libgcc-s1 libsodium23 ${spdlog} libstdc++6 python3 zlib1g)

# Maintainer scripts are executable, units are disabled by their preset.
contains(caribou DEBIAN/postinst DEBIAN/prerm DEBIAN/postrm
  usr/share/man/man1/caribou.1.gz usr/share/man/man1/caribou-robot.1.gz usr/share/bash-completion/completions/caribou
  usr/share/caribou/worlds/room.toml usr/share/caribou/robots/explorer.toml usr/share/caribou/missions/depth.moos
  usr/share/caribou/service/robot.toml usr/share/caribou/service/station.toml usr/share/doc/caribou/docs/robot.md
  usr/lib/systemd/system/caribou-robot.service usr/lib/systemd/system/caribou-station.service
  usr/lib/systemd/system-preset/80-caribou.preset)
contains(libcaribou-dev usr/include/caribou/bus/client.hpp usr/lib/libcaribou_bus.a
  usr/lib/cmake/caribou/caribou-config.cmake usr/lib/pkgconfig/caribou-bus.pc)
contains(python3-caribou usr/lib/python3/dist-packages/caribou/__init__.py)
execute_process(COMMAND ${SCRATCH}/unpacked/caribou/usr/bin/caribou robot --check-install OUTPUT_VARIABLE said
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "files are as they were installed")
  message(FATAL_ERROR "the package's manifest is not checked: ${said}")
endif()

# Without dpkg-shlibdeps or file, building the package fails.
set(as_root "")
execute_process(COMMAND id --user OUTPUT_VARIABLE uid OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT uid EQUAL 0)
  set(as_root --map-root-user)
endif()
foreach(tool dpkg-shlibdeps file)
  make_packages(status without-${tool} unshare --mount ${as_root}
    sh -c "mount --bind /dev/null /usr/bin/${tool} && exec \"$@\"" sh)
  if(status EQUAL 0 OR packages)
    message(FATAL_ERROR "cpack made a package without ${tool}: ${status} ${packages}\n${output}")
  endif()
endforeach()
