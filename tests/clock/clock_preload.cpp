// Preloaded into `caribou` (LD_PRELOAD) to shift its time of day by the number of seconds in the shared file
// that CARIBOU_TEST_CLOCK names, as if the clock of its machine was set. Other clocks are not affected.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "shared_shift.hpp"

namespace {

using caribou::tests::SharedShift;

const SharedShift* shift = nullptr;

/// Before the program's own code. The runtime of a sanitizer reads the clock even earlier.
[[gnu::constructor]] void open_shift() {
    const char* const path = std::getenv("CARIBOU_TEST_CLOCK");
    const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void* const mapped = ::mmap(nullptr, sizeof(SharedShift), PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (mapped != MAP_FAILED) shift = static_cast<const SharedShift*>(mapped);
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {  // tidy: allow clock: it is replaced
    const auto outcome = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    if (outcome == 0 && clock == CLOCK_REALTIME && shift != nullptr) time->tv_sec += shift->load();
    return outcome;
}
