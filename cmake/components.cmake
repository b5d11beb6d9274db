# Installed components: each is a target caribou::NAME, a component of find_package(caribou) and a module caribou-NAME of
# pkg-config. A component needs only the libraries of its own modules.
include(GNUInstallDirs)

# The outside libraries: target, how CMake finds it (`pkg:` by pkg-config), name in pkg-config, Debian package.
set(CARIBOU_LIBRARIES
  "fmt::fmt|fmt|fmt|libfmt-dev"
  "spdlog::spdlog|spdlog|spdlog|libspdlog-dev"
  "Threads::Threads|Threads||libc6-dev"
  "ZLIB::ZLIB|ZLIB|zlib|zlib1g-dev"
  "OpenSSL::SSL|OpenSSL|openssl|libssl-dev"
  "PNG::PNG|PNG|libpng|libpng-dev"
  "PkgConfig::turbojpeg|pkg:turbojpeg|libturbojpeg|libturbojpeg0-dev"
  "CycloneDDS::ddsc|CycloneDDS|CycloneDDS|cyclonedds-dev"
  "SDBusCpp::sdbus-c++|sdbus-c++|sdbus-c++|libsdbus-c++-dev"
  "PkgConfig::deflate|pkg:deflate|libdeflate|libdeflate-dev"
  "PkgConfig::zstd|pkg:zstd|libzstd|libzstd-dev"
  "PkgConfig::sodium|pkg:sodium|libsodium|libsodium-dev"
  "PkgConfig::systemd|pkg:systemd|libsystemd|libsystemd-dev"
  "PkgConfig::gpiod|pkg:gpiod|libgpiod|libgpiod-dev")

# Appends the modules to LIST, each before those that it depends on.
function(caribou_modules_below LIST)
  set(found ${${LIST}})
  foreach(module ${ARGN})
    list(REMOVE_ITEM found ${module})
    list(APPEND found ${module})
    get_property(below GLOBAL PROPERTY caribou_modules_below_${module})
    caribou_modules_below(found ${below})
  endforeach()
  set(${LIST} ${found} PARENT_SCOPE)
endfunction()

# caribou_component(NAME module...)
function(caribou_component NAME)
  set(top ${ARGN})
  list(TRANSFORM top REPLACE "/" "_")
  add_library(caribou_component_${NAME} INTERFACE)
  set_target_properties(caribou_component_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  set(modules "")
  caribou_modules_below(modules ${top})
  set(links "")
  foreach(module ${modules})
    get_property(more GLOBAL PROPERTY caribou_links_of_${module})
    list(APPEND links ${more})
  endforeach()
  foreach(module ${top})
    target_link_libraries(caribou_component_${NAME} INTERFACE caribou_${module})
  endforeach()

  set(packages "")
  set(requires "")
  set(libs "")
  foreach(line ${CARIBOU_LIBRARIES})
    string(REPLACE "|" ";" words "${line}")
    list(GET words 0 target)
    list(GET words 1 package)
    list(GET words 2 module)
    list(GET words 3 debian)
    if(target IN_LIST links)
      list(APPEND packages "${package}|${module}|${debian}")
      list(APPEND requires ${module})
    endif()
  endforeach()
  foreach(module ${modules})
    string(APPEND libs " -lcaribou_${module}")
  endforeach()
  list(JOIN requires " " requires)
  file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/caribou-${NAME}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@prefix@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: caribou-@NAME@
Description: @NAME@ of Caribou, a robot runtime
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I\${includedir} -I\${includedir}/caribou
Libs: -L\${libdir}@libs@ -pthread
")
  install(FILES ${CMAKE_BINARY_DIR}/package/caribou-${NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
  install(TARGETS caribou_component_${NAME} EXPORT caribou COMPONENT dev)
  set_property(GLOBAL APPEND PROPERTY caribou_components ${NAME})
  set_property(GLOBAL APPEND_STRING PROPERTY caribou_component_lines "set(caribou_packages_${NAME} \"${packages}\")\n")
  get_property(installed GLOBAL PROPERTY caribou_installed_modules)
  foreach(module ${modules})
    if(NOT module IN_LIST installed)
      install(TARGETS caribou_${module} EXPORT caribou COMPONENT dev)
      set_property(GLOBAL APPEND PROPERTY caribou_installed_modules ${module})
    endif()
  endforeach()
endfunction()
