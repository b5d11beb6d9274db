# Installs the build tree BUILT below SCRATCH, then configures, builds and runs the project in
# outside/ with nothing but find_package, as a stranger would.
cmake_minimum_required(VERSION 3.25)

function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed with ${status}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
step(${CMAKE_COMMAND} --install ${BUILT} --prefix ${SCRATCH}/prefix)
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/outside -B ${SCRATCH}/outside -G Ninja
  -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix -D CMAKE_CXX_COMPILER=${COMPILER})
step(${CMAKE_COMMAND} --build ${SCRATCH}/outside)
step(${SCRATCH}/outside/outside)

# What `caribou new app` writes builds against what was installed, and passes its own test.
step(${SCRATCH}/prefix/bin/caribou new app pSample --folder ${SCRATCH}/pSample)
step(${CMAKE_COMMAND} -S ${SCRATCH}/pSample -B ${SCRATCH}/pSample/build -G Ninja
  -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix -D CMAKE_CXX_COMPILER=${COMPILER})
step(${CMAKE_COMMAND} --build ${SCRATCH}/pSample/build)
step(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/pSample/build --output-on-failure --no-tests=error)
step(${SCRATCH}/pSample/build/pSample --moos_print_example)
step(${SCRATCH}/prefix/bin/caribou mission check ${SCRATCH}/pSample/pSample.moos)

# The program knows what was installed with it, and sees when that is not what it was.
step(${SCRATCH}/prefix/bin/caribou robot --check-install)
file(APPEND ${SCRATCH}/prefix/share/caribou/trees/explorer.json "\n")
execute_process(COMMAND ${SCRATCH}/prefix/bin/caribou robot --check-install
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(status EQUAL 0 OR NOT said MATCHES "trees/explorer.json is not what was installed")
  message(FATAL_ERROR "a changed file was not seen: ${status} ${said}")
endif()

# And Python imports what was installed.
file(GLOB packages ${SCRATCH}/prefix/lib/python3*/dist-packages)
step(${CMAKE_COMMAND} -E env PYTHONPATH=${packages} /usr/bin/python3 -c
  "assert __import__('caribou').__file__.startswith('${packages}/')")
