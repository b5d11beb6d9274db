# Libraries that are not the same on every supported Debian, or missing there: which version of a file is compiled,
# and what is left out. Sets
#   CARIBOU_GPIOD, CARIBOU_SDBUS, CARIBOU_DDS   target to link, or empty
#   CARIBOU_SKIP_BODY, _BLUEZ, _DDS             sources of src/adapters/ that belong to another version of the library
# Each part that is left out is a line of left_out.txt in the build tree: ./run prints them.
file(WRITE ${CMAKE_BINARY_DIR}/left_out.txt "")

# caribou_leave_out(PART LIBRARY): reports that PART is left out, because LIBRARY is missing.
function(caribou_leave_out PART LIBRARY)
  message(STATUS "left out: ${PART}, because ${LIBRARY} is missing")
  file(APPEND ${CMAKE_BINARY_DIR}/left_out.txt "${PART} (${LIBRARY} is missing)\n")
endfunction()

# x_1.cpp is for version 1 of a library, x_2.cpp for version 2, x_absent.cpp for none.
pkg_check_modules(gpiod IMPORTED_TARGET GLOBAL libgpiod)
if(NOT gpiod_FOUND)
  set(CARIBOU_GPIOD_VERSION absent)
  caribou_leave_out("GPIO" "libgpiod")
elseif(gpiod_VERSION VERSION_LESS 2)
  set(CARIBOU_GPIOD_VERSION 1)
else()
  set(CARIBOU_GPIOD_VERSION 2)
endif()
set(CARIBOU_SKIP_BODY gpio_lines_1 gpio_lines_2 gpio_lines_absent)
list(REMOVE_ITEM CARIBOU_SKIP_BODY gpio_lines_${CARIBOU_GPIOD_VERSION})
set(CARIBOU_GPIOD "")
if(gpiod_FOUND)
  set(CARIBOU_GPIOD PkgConfig::gpiod)
endif()

find_package(sdbus-c++ QUIET)
set(CARIBOU_SDBUS "")
if(NOT sdbus-c++_FOUND)
  set(CARIBOU_SKIP_BLUEZ bluez_bus sdbus_calls_1 sdbus_calls_2)
  caribou_leave_out("cubes over Bluetooth" "sdbus-c++")
else()
  set(CARIBOU_SDBUS SDBusCpp::sdbus-c++)
  if(sdbus-c++_VERSION VERSION_LESS 2)
    set(CARIBOU_SKIP_BLUEZ bluez_bus_absent sdbus_calls_2)
  else()
    set(CARIBOU_SKIP_BLUEZ bluez_bus_absent sdbus_calls_1)
  endif()
endif()

find_package(CycloneDDS 0.10 QUIET)
set(CARIBOU_DDS "")
if(CycloneDDS_FOUND)
  set(CARIBOU_DDS CycloneDDS::ddsc)
  set(CARIBOU_SKIP_DDS dds_absent)
else()
  set(CARIBOU_SKIP_DDS dds_discovery dds_messages dds_endpoint dds_graph dds_handles dds_participant dds_reader dds_sertype dds_transport dds_writer)
  caribou_leave_out("topics over DDS" "CycloneDDS")
endif()
