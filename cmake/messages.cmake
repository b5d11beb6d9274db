# caribou_messages(TARGET FOLDER): generates C++ from FOLDER/<package>/msg/*.msg and *.idl, compiles it into
# TARGET and lets its users include it as "msg/<package>/<name>.hpp". Also writes the messages as IDL to
# ${CARIBOU_IDL_DIR}, for other DDS programs.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CARIBOU_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
set(CARIBOU_IDL_DIR ${CARIBOU_GENERATED_DIR}/idl)

# caribou_data(TARGET FOLDER): generates C++ from FOLDER/*.msg with tools/data_to_code.py, compiles it into TARGET
# and lets its users include it as "data/<name>.hpp".
function(caribou_data TARGET FOLDER)
  set(generator ${PROJECT_SOURCE_DIR}/tools/data_to_code.py)
  file(GLOB generator_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/msg/*.py ${PROJECT_SOURCE_DIR}/tools/data/*.py)
  file(GLOB descriptions CONFIGURE_DEPENDS ${FOLDER}/*.msg)
  set(generate ${Python3_EXECUTABLE} -B ${generator} ${FOLDER} --cpp ${CARIBOU_GENERATED_DIR})
  execute_process(COMMAND ${generate} --list OUTPUT_VARIABLE generated ERROR_VARIABLE fault RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${fault}")
  endif()
  string(REPLACE "\n" ";" generated ${generated})
  list(REMOVE_ITEM generated "")
  # Unchanged files are not written, so that nothing is compiled needlessly; the stamp shows that the generator ran.
  set(stamp ${CARIBOU_GENERATED_DIR}/${TARGET}.stamp)
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${generated} COMMAND ${generate}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${generator} ${generator_parts} ${descriptions} COMMENT "Generating C++ from descriptions of data")
  add_custom_target(${TARGET}_generated DEPENDS ${stamp})
  list(FILTER generated INCLUDE REGEX "\\.cpp$")
  set_source_files_properties(${generated} PROPERTIES GENERATED ON)
  target_sources(${TARGET} PRIVATE ${generated})
  add_dependencies(${TARGET} ${TARGET}_generated)
  target_include_directories(${TARGET} PUBLIC $<BUILD_INTERFACE:${CARIBOU_GENERATED_DIR}>)
endfunction()

function(caribou_messages TARGET FOLDER)
  set(maker ${PROJECT_SOURCE_DIR}/tools/msg_to_cpp.py)
  file(GLOB maker_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/msg/*.py)
  file(GLOB messages CONFIGURE_DEPENDS ${FOLDER}/*/msg/*.msg ${FOLDER}/*/msg/*.idl)
  set(make ${Python3_EXECUTABLE} -B ${maker} ${FOLDER} --idl --out ${CARIBOU_GENERATED_DIR})
  execute_process(COMMAND ${make} --list OUTPUT_VARIABLE made ERROR_VARIABLE fault RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${fault}")
  endif()
  string(REPLACE "\n" ";" made ${made})
  list(REMOVE_ITEM made "")
  # Unchanged files are not rewritten, so that nothing is recompiled needlessly; the stamp records that the
  # generator has run.
  set(stamp ${CARIBOU_GENERATED_DIR}/${TARGET}.stamp)
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${made} COMMAND ${make}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${maker} ${maker_parts} ${messages} COMMENT "Making C++ of messages")
  add_custom_target(${TARGET}_made DEPENDS ${stamp})
  list(FILTER made INCLUDE REGEX "\\.cpp$")
  set_source_files_properties(${made} PROPERTIES GENERATED ON)
  target_sources(${TARGET} PRIVATE ${made})
  add_dependencies(${TARGET} ${TARGET}_made)
  target_include_directories(${TARGET} PUBLIC $<BUILD_INTERFACE:${CARIBOU_GENERATED_DIR}>)
  install(DIRECTORY ${CARIBOU_GENERATED_DIR}/msg/ DESTINATION include/caribou/msg
    FILES_MATCHING PATTERN "*.hpp")
endfunction()
