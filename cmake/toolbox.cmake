# Builds modules, tests and fuzz targets. Files are found by their names: x.cpp belongs to the module,
# x_test.cpp to its tests, x_fuzz.cpp is a fuzz target.

add_library(caribou_flags INTERFACE)
target_compile_features(caribou_flags INTERFACE cxx_std_23)
target_compile_options(caribou_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 emits false warnings in its own library when optimizing.
  target_compile_options(caribou_flags INTERFACE -Wno-null-dereference -Wno-restrict -Wno-maybe-uninitialized)
  if(CARIBOU_SANITIZE MATCHES thread)
    # Asio uses fences around handlers, which this sanitizer does not support; locks order them as well.
    target_compile_options(caribou_flags INTERFACE -Wno-tsan)
  endif()
else()
  # clang reports that the same library calls its own deprecated functions.
  target_compile_options(caribou_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(CMAKE_UNITY_BUILD)
  # In a unity build a local name may shadow a name of another file.
  target_compile_options(caribou_flags INTERFACE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ treats types that are private to such a file as if they were defined in a header.
    target_compile_options(caribou_flags INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(CARIBOU_SANITIZE)
  target_compile_options(caribou_flags INTERFACE
    -fsanitize=${CARIBOU_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(caribou_flags INTERFACE -fsanitize=${CARIBOU_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # clang's check of virtual table pointers opens a pipe, which fails in tests that exhaust the descriptors.
    target_compile_options(caribou_flags INTERFACE -fno-sanitize=vptr)
  endif()
endif()

# Mutation testing: sources below CARIBOU_MUTANTS replace those of src/.
if(CARIBOU_MUTANTS)
  add_library(caribou_mutation STATIC ${PROJECT_SOURCE_DIR}/tools/mutation/mutation.cpp)
  target_compile_options(caribou_flags INTERFACE -w -include ${PROJECT_SOURCE_DIR}/tools/mutation/mutation.hpp)
  target_link_libraries(caribou_flags INTERFACE caribou_mutation)
endif()

# Paths in messages and binaries are relative to the top of the repository, independent of its location.
# The second form is for ccache, which makes paths relative to the build directory.
file(RELATIVE_PATH top ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})
string(REGEX REPLACE "/$" "" top ${top})
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -fmacro-prefix-map=${top}/=)

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  # Relative paths, and no build directory in the hash: other clones share the results. The sloppiness is
  # required for precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# Targets with threads, and fuzz targets: built by `./run test` with the thread sanitizer and with the
# fuzzer.
add_custom_target(threads_tests)
add_custom_target(fuzz_twins)
# All test programs that do not start the program `caribou`: built by `./run test` with the address sanitizer.
add_custom_target(module_tests)

# Common settings of all test programs. The tests themselves are not optimized in any configuration:
# that doubles their compile time and gains nothing, because the work is done by the modules.
add_library(caribou_test_flags INTERFACE)
target_compile_options(caribou_test_flags INTERFACE -O0)
target_link_libraries(caribou_test_flags INTERFACE caribou_flags caribou_test_paths fmt::fmt GTest::gmock_main rapidcheck)

# The only file whose command line contains paths of this clone: all others can come from the compiler cache of another.
set(test_paths ${PROJECT_SOURCE_DIR}/tests/paths)
add_library(caribou_test_paths STATIC EXCLUDE_FROM_ALL ${test_paths}/test_paths.cpp)
target_include_directories(caribou_test_paths PUBLIC ${test_paths})
target_compile_definitions(caribou_test_paths PRIVATE
  CARIBOU_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CARIBOU_BUILD_DIR="${CMAKE_BINARY_DIR}")
target_link_libraries(caribou_test_paths PRIVATE caribou_flags)

# With clang, the most included headers are precompiled. Not with g++, where precompiled headers gain
# little, and where the build must show that the includes of each file are complete.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(caribou_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
  set(common_headers <algorithm> <array> <chrono> <cstdint> <expected> <functional> <map> <memory>
    <optional> <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
  file(WRITE ${CMAKE_BINARY_DIR}/nothing.cpp "")
  add_library(caribou_module_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/nothing.cpp)
  target_link_libraries(caribou_module_pch PRIVATE caribou_flags fmt::fmt)
  target_compile_options(caribou_module_pch PRIVATE -fpch-instantiate-templates)
  if(CARIBOU_FUZZ)
    target_compile_options(caribou_module_pch PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_precompile_headers(caribou_module_pch PRIVATE ${common_headers})
  if(CARIBOU_TESTS)
    # A program, because it must be compiled with the settings of the tests.
    add_executable(caribou_test_pch EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/nothing.cpp)
    target_link_libraries(caribou_test_pch PRIVATE caribou_test_flags)
    target_compile_options(caribou_test_pch PRIVATE -fpch-instantiate-templates)
    target_precompile_headers(caribou_test_pch PRIVATE ${common_headers}
      <gmock/gmock.h> <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
  endif()
endif()

# caribou_test(PROGRAM [THREADS] [ALONE] SOURCES file... [LINKS target...]): a test program, with each of its cases as
# a ctest test. THREADS: also runs under the thread sanitizer. ALONE: its cases measure time, so that no
# other test runs at the same time.
function(caribou_test PROGRAM)
  cmake_parse_arguments(TEST "THREADS;ALONE" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${PROGRAM} ${TEST_SOURCES})
  target_link_libraries(${PROGRAM} PRIVATE caribou_test_flags ${TEST_LINKS})
  if(TARGET caribou_test_pch)
    target_precompile_headers(${PROGRAM} REUSE_FROM caribou_test_pch)
  endif()
  # One label per test, because gtest_discover_tests does not preserve lists.
  set(label ${PROGRAM})
  if(TEST_THREADS)
    set(label threads_${PROGRAM})
    add_dependencies(threads_tests ${PROGRAM})
  endif()
  # Tests of separate processes measure times that are promised for the release build.
  if("caribou_child" IN_LIST TEST_LINKS)
    set(label programs_${label})
  else()
    add_dependencies(module_tests ${PROGRAM})
  endif()
  gtest_discover_tests(${PROGRAM} DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} TIMEOUT 300 RUN_SERIAL ${TEST_ALONE})
endfunction()

# caribou_fuzz_twin(FILE module): the fuzz target in FILE, named after it; its corpus is in
# fuzz/corpus/<name>/.
function(caribou_fuzz_twin FILE MODULE)
  get_filename_component(program ${FILE} NAME_WE)
  add_executable(${program} ${FILE})
  target_link_libraries(${program} PRIVATE caribou_flags caribou_${MODULE} fmt::fmt)
  target_link_options(${program} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz_twins ${program})
endfunction()

# caribou_module(PATH [THREADS] [SKIP name...] [DEPENDS module...] [LINKS target...]): the library caribou_NAME from
# src/PATH/*.cpp, the test program NAME_test and the fuzz targets; NAME is PATH with _ for /.
# LINKS are external libraries that are private to the module. SKIP are sources for other versions of these, without .cpp.
function(caribou_module PATH)
  cmake_parse_arguments(MODULE "THREADS" "" "SKIP;DEPENDS;LINKS" ${ARGN})
  string(REPLACE "/" "_" NAME ${PATH})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${PATH})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(CARIBOU_SANITIZE MATCHES "thread")
    # Tests that count allocations replace operator new, which conflicts with this sanitizer.
    list(FILTER tests EXCLUDE REGEX "_cost_test\\.cpp$")
  endif()
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  foreach(name ${MODULE_SKIP})
    list(REMOVE_ITEM sources ${dir}/${name}.cpp)
  endforeach()
  if(NOT sources)
    message(STATUS "module ${NAME} is still empty")
    return()
  endif()

  if(CARIBOU_MUTANTS)
    file(GLOB mutants CONFIGURE_DEPENDS ${CARIBOU_MUTANTS}/${PATH}/*.cpp)
    foreach(mutant ${mutants})
      get_filename_component(file ${mutant} NAME)
      list(TRANSFORM sources REPLACE "^${dir}/${file}$" "${mutant}")
    endforeach()
  endif()
  add_library(caribou_${NAME} STATIC ${sources})
  if(TARGET caribou_module_pch)
    target_precompile_headers(caribou_${NAME} REUSE_FROM caribou_module_pch)
  endif()
  set_target_properties(caribou_${NAME} PROPERTIES EXPORT_NAME module::${NAME})
  target_include_directories(caribou_${NAME} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> "$<INSTALL_INTERFACE:include;include/caribou>")
  target_compile_features(caribou_${NAME} PUBLIC cxx_std_23)
  target_link_libraries(caribou_${NAME} PRIVATE $<BUILD_INTERFACE:caribou_flags> ${MODULE_LINKS})
  set(below ${MODULE_DEPENDS})
  list(TRANSFORM below REPLACE "/" "_")
  foreach(module ${below})
    target_link_libraries(caribou_${NAME} PUBLIC caribou_${module})
  endforeach()
  # For caribou_component().
  set_property(GLOBAL PROPERTY caribou_modules_below_${NAME} ${below})
  set_property(GLOBAL PROPERTY caribou_links_of_${NAME} ${MODULE_LINKS})

  if(CARIBOU_TESTS AND tests)
    set(threads)
    if(MODULE_THREADS)
      set(threads THREADS)
    endif()
    caribou_test(${NAME}_test ${threads} SOURCES ${tests} LINKS caribou_${NAME})
  endif()
  if(CARIBOU_FUZZ)
    # The module itself must be instrumented for coverage, otherwise the fuzzer only sees the target's own code.
    target_compile_options(caribou_${NAME} PRIVATE -fsanitize=fuzzer-no-link)
    foreach(fuzzer ${fuzzers})
      caribou_fuzz_twin(${fuzzer} ${NAME})
    endforeach()
  endif()
endfunction()
