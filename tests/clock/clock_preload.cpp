// Preloaded into `caribou` (LD_PRELOAD) to shift its time of day by the number of seconds in the shared file
// that CARIBOU_TEST_CLOCK names, as if the clock of its machine was set. Other clocks are not affected.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "shared_shift.hpp"

namespace {

using caribou::tests::SharedShift;

const SharedShift* shared_shift() {
    const char* const path = std::getenv("CARIBOU_TEST_CLOCK");
    const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return nullptr;
    void* const mapped = ::mmap(nullptr, sizeof(SharedShift), PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<const SharedShift*>(mapped);
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {  // tidy: allow clock: it is replaced
    using Original = int (*)(clockid_t, timespec*);
    static const auto original = reinterpret_cast<Original>(::dlsym(RTLD_NEXT, "clock_gettime"));
    static const SharedShift* const shift = shared_shift();
    const int outcome = original(clock, time);
    if (outcome == 0 && clock == CLOCK_REALTIME && shift != nullptr) time->tv_sec += shift->load();
    return outcome;
}
