# C++ that is generated while building, from descriptions in .msg files.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CARIBOU_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
set(CARIBOU_IDL_DIR ${CARIBOU_GENERATED_DIR}/idl)

# caribou_generate(TARGET COMMENT text DEPENDS file... COMMAND word...): lets the generator COMMAND, which lists its
# output with --list, write below ${CARIBOU_GENERATED_DIR}, and compiles the sources among it into TARGET.
function(caribou_generate TARGET)
  cmake_parse_arguments(GENERATE "" "COMMENT" "DEPENDS;COMMAND" ${ARGN})
  set(generate ${Python3_EXECUTABLE} -B ${GENERATE_COMMAND})
  execute_process(COMMAND ${generate} --list OUTPUT_VARIABLE generated ERROR_VARIABLE fault RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${fault}")
  endif()
  string(REPLACE "\n" ";" generated ${generated})
  list(REMOVE_ITEM generated "")
  # Unchanged files are not rewritten, so that nothing is recompiled needlessly; the stamp records that the
  # generator has run.
  set(stamp ${CARIBOU_GENERATED_DIR}/${TARGET}.stamp)
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${generated} COMMAND ${generate}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp} DEPENDS ${GENERATE_DEPENDS} COMMENT ${GENERATE_COMMENT})
  add_custom_target(${TARGET}_generated DEPENDS ${stamp})
  list(FILTER generated INCLUDE REGEX "\\.cpp$")
  set_source_files_properties(${generated} PROPERTIES GENERATED ON)
  target_sources(${TARGET} PRIVATE ${generated})
  add_dependencies(${TARGET} ${TARGET}_generated)
  target_include_directories(${TARGET} PUBLIC $<BUILD_INTERFACE:${CARIBOU_GENERATED_DIR}>)
endfunction()

# caribou_data(TARGET FOLDER): generates C++ from FOLDER/*.msg with tools/data_to_code.py, compiles it into TARGET
# and lets its users include it as "data/<name>.hpp".
function(caribou_data TARGET FOLDER)
  set(tools ${PROJECT_SOURCE_DIR}/tools)
  file(GLOB inputs CONFIGURE_DEPENDS ${tools}/msg/*.py ${tools}/data/*.py ${FOLDER}/*.msg)
  caribou_generate(${TARGET} COMMENT "Generating C++ from descriptions of data"
    DEPENDS ${tools}/data_to_code.py ${inputs}
    COMMAND ${tools}/data_to_code.py ${FOLDER} --cpp ${CARIBOU_GENERATED_DIR})
  install(DIRECTORY ${CARIBOU_GENERATED_DIR}/data/ DESTINATION include/caribou/data COMPONENT dev
    FILES_MATCHING PATTERN "*.hpp")
endfunction()

# caribou_messages(TARGET FOLDER): generates C++ from FOLDER/<package>/msg/*.msg and *.idl, compiles it into
# TARGET and lets its users include it as "msg/<package>/<name>.hpp". Also writes the messages as IDL to
# ${CARIBOU_IDL_DIR}, for other DDS programs.
function(caribou_messages TARGET FOLDER)
  set(tools ${PROJECT_SOURCE_DIR}/tools)
  file(GLOB inputs CONFIGURE_DEPENDS ${tools}/msg/*.py ${FOLDER}/*/msg/*.msg ${FOLDER}/*/msg/*.idl)
  caribou_generate(${TARGET} COMMENT "Generating C++ from messages"
    DEPENDS ${tools}/msg_to_cpp.py ${inputs}
    COMMAND ${tools}/msg_to_cpp.py ${FOLDER} --idl --out ${CARIBOU_GENERATED_DIR})
  install(DIRECTORY ${CARIBOU_GENERATED_DIR}/msg/ DESTINATION include/caribou/msg COMPONENT dev
    FILES_MATCHING PATTERN "*.hpp" PATTERN all_messages.hpp EXCLUDE)
endfunction()
