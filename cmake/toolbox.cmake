# How rooms, tests and fuzz twins are built. A new file is found by its name:
# x.cpp belongs to the room, x_test.cpp to its tests, x_fuzz.cpp is a fuzz twin of its own.

add_library(caribou_flags INTERFACE)
target_compile_features(caribou_flags INTERFACE cxx_std_23)
target_compile_options(caribou_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns wrongly inside its own library when optimising.
  target_compile_options(caribou_flags INTERFACE -Wno-null-dereference -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CARIBOU_SANITIZE)
  target_compile_options(caribou_flags INTERFACE
    -fsanitize=${CARIBOU_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(caribou_flags INTERFACE -fsanitize=${CARIBOU_SANITIZE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# caribou_room(NAME [DEPENDS room...] [LINKS target...]): the library caribou_NAME from
# src/NAME/*.cpp, the test program NAME_test and the fuzz twins.
# LINKS are libraries from outside that stay private to the room.
function(caribou_room NAME)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LINKS" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${NAME})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")

  add_library(caribou_${NAME} STATIC ${sources})
  add_library(caribou::${NAME} ALIAS caribou_${NAME})
  set_target_properties(caribou_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  target_include_directories(caribou_${NAME} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/caribou>)
  target_compile_features(caribou_${NAME} PUBLIC cxx_std_23)
  target_link_libraries(caribou_${NAME} PRIVATE $<BUILD_INTERFACE:caribou_flags> ${ROOM_LINKS})
  foreach(room ${ROOM_DEPENDS})
    target_link_libraries(caribou_${NAME} PUBLIC caribou_${room})
  endforeach()

  if(CARIBOU_TESTS AND tests)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE caribou_flags caribou_${NAME} fmt::fmt GTest::gmock_main rapidcheck)
    target_compile_definitions(${NAME}_test PRIVATE CARIBOU_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gtest_discover_tests(${NAME}_test DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${NAME} TIMEOUT 300)
  endif()
  if(CARIBOU_FUZZ)
    foreach(fuzzer ${fuzzers})
      get_filename_component(program ${fuzzer} NAME_WE)
      add_executable(${program} ${fuzzer})
      target_link_libraries(${program} PRIVATE caribou_flags caribou_${NAME} fmt::fmt)
      target_link_options(${program} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()
