# Installs the program of the build tree BUILT below SCRATCH, as its package does, and runs tests of the build tree on it.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILT} --component runtime --prefix ${SCRATCH}/prefix
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(installed ${SCRATCH}/prefix/bin/caribou)
# run_with(PROGRAM TEST_PROGRAM test...): runs the tests with this `caribou`, and sets `status` and `output`.
function(run_with PROGRAM TEST_PROGRAM)
  list(JOIN ARGN ":" filter)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env CARIBOU_PROGRAM=${PROGRAM} ${BUILT}/${TEST_PROGRAM} --gtest_filter=${filter}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
# passes(TEST_PROGRAM test...): each of them exists and passes, or is skipped, such as for lack of root.
function(passes TEST_PROGRAM)
  run_with(${installed} ${TEST_PROGRAM} ${ARGN})
  foreach(test ${ARGN})
    if(NOT status EQUAL 0 OR NOT output MATCHES "\\[ +(OK|SKIPPED) \\] ${test} ")
      message(FATAL_ERROR "${TEST_PROGRAM}: ${test} does not pass on ${installed}: ${status}\n${output}")
    endif()
  endforeach()
endfunction()

# The tests do start the program that they are given.
run_with(/bin/false cli_test Latch.SurvivesRm5)
if(status EQUAL 0)
  message(FATAL_ERROR "the tests ignore CARIBOU_PROGRAM:\n${output}")
endif()

passes(cli_test Latch.SurvivesRm5 Latch.SurvivesACrashAndARestart Latch.IsReleasedOnTheRobotItself
  Latch.StartsStoppedWhenItsFileIsLostOrDamaged)
passes(guard_process_test GuardedDriver.IsKilledWhenTheRobotIsStopped GuardedDriver.IsKilledWhenTheRobotIsKilled
  GuardedDriver.IsKilledWhenOnlyPropulsionIsStopped GuardedDriver.IsKilledWhenItHangs)
passes(authority_test Authority.DrivesNothingThatWaitedForAFrozenStation
  Authority.ReleasesNoStopByAReleaseThatWasGivenBeforeIt UnderAttack.StopsInTimeDuringAllAttacksAtOnce
  MainHang.StopsARobotThatDrivesItself LocalAccess.IsFullForTheUserOfTheStation LocalAccess.IsToObserveAndStopForOtherAccounts)
