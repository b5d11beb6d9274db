# Topics over DDS, and peers that know nothing of Caribou: CycloneDDS with types that its own idlc makes of
# the IDL in ${CARIBOU_IDL_DIR}. Not for the thread sanitizer: the DDS libraries are not built for it, so it
# would see races where their locks are.
if(CARIBOU_SANITIZE MATCHES "thread" OR NOT CARIBOU_DDS)
  return()
endif()

# Two machines, as network namespaces; reported as skipped where they may not be made.
add_executable(lan_peer dds/lan_peer.cpp)
target_link_libraries(lan_peer PRIVATE caribou_flags caribou_adapters_dds fmt::fmt)
add_test(NAME DdsLan.SurvivesLossACutAndARejoin COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/dds/lan_test.sh $<TARGET_FILE:lan_peer>)
add_executable(view_watcher dds/view_watcher.cpp)
target_link_libraries(view_watcher PRIVATE caribou_flags caribou_adapters_dds caribou_views)
add_test(NAME DdsLan.CarriesTheViewsOfARobotToAStation
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/dds/views_test.sh
    $<TARGET_FILE:caribou> $<TARGET_FILE:view_watcher> $<TARGET_FILE:lan_peer>)
set_tests_properties(DdsLan.SurvivesLossACutAndARejoin DdsLan.CarriesTheViewsOfARobotToAStation
  PROPERTIES LABELS dds TIMEOUT 300 SKIP_RETURN_CODE 77)

find_program(IDLC idlc REQUIRED)

set(idlc_dir ${CMAKE_CURRENT_BINARY_DIR}/idlc)
file(GLOB messages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src/msg ${PROJECT_SOURCE_DIR}/src/msg/*/msg/*.msg)
set(idlc_sources)
foreach(message ${messages})
  string(REPLACE "/msg/" "/" name ${message})
  string(REPLACE ".msg" "" name ${name})
  get_filename_component(package ${name} DIRECTORY)
  add_custom_command(OUTPUT ${idlc_dir}/${name}.c ${idlc_dir}/${name}.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${idlc_dir}/${package}
    COMMAND ${IDLC} -n false -I ${CARIBOU_IDL_DIR} -o ${idlc_dir}/${package} ${CARIBOU_IDL_DIR}/${name}.idl
    DEPENDS caribou_msg_generated ${PROJECT_SOURCE_DIR}/src/msg/${message})
  list(APPEND idlc_sources ${idlc_dir}/${name}.c)
endforeach()
add_executable(cyclone_echo dds/cyclone_echo.cpp ${idlc_sources})
target_include_directories(cyclone_echo SYSTEM PRIVATE ${idlc_dir})
target_link_libraries(cyclone_echo PRIVATE CycloneDDS::ddsc)
set_property(TARGET cyclone_echo PROPERTY C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
set_property(TARGET cyclone_echo PROPERTY UNITY_BUILD OFF)  # what idlc makes has the same names in each file

# A second DDS, Fast DDS with types written by hand: one small program. Its version 2 is named fastrtps.
set(fast_dds_tests "")
find_package(fastdds QUIET)
find_package(fastrtps QUIET)
if(fastdds_FOUND OR fastrtps_FOUND)
  set(fast_dds_tests fast_dds_test.cpp)
  add_executable(fast_dds_peer dds/fast_dds_peer.cpp)
  if(fastdds_FOUND)
    target_link_libraries(fast_dds_peer PRIVATE fastdds)
  else()
    target_link_libraries(fast_dds_peer PRIVATE fastrtps)
  endif()
else()
  caribou_leave_out("tests with Fast DDS" "fastdds")
endif()

caribou_test(dds_test
  SOURCES dds_test.cpp dds_peers_test.cpp ${fast_dds_tests} ros_bridge_cli_test.cpp robot_ros_cli_test.cpp
    dds/domain_lease.cpp
  LINKS caribou_child ${CARIBOU_DDS})
add_dependencies(dds_test cyclone_echo ros2_lidar)
if(fast_dds_tests)
  add_dependencies(dds_test fast_dds_peer)
endif()
