// Preloaded into `caribou` (LD_PRELOAD) to replace libgpiod (pins_gpiod_1.cpp or pins_gpiod_2.cpp) and writes
// to PWM files: a machine with pins whose device calls can be made to hang.

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "pins/shared_pins.hpp"
#include "pins/simulated_lines.hpp"

using caribou::tests::SharedPins;

namespace {

SharedPins* pins() {
    static SharedPins* const mapped = [] {
        const char* const path = std::getenv(caribou::tests::pins_variable);
        const int file = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
        void* const memory =
            file < 0 ? MAP_FAILED
                     : ::mmap(nullptr, sizeof(SharedPins), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return memory == MAP_FAILED ? nullptr : static_cast<SharedPins*>(memory);
    }();
    return mapped;
}

long long nanoseconds_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);  // tidy: allow clock: the code under test is another program
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

void hang_while(int& flag) {
    if (SharedPins::load(flag) == 0) return;
    __atomic_add_fetch(&pins()->calls_that_hang, 1, __ATOMIC_SEQ_CST);
    while (SharedPins::load(flag) != 0) ::poll(nullptr, 0, 1);
    __atomic_sub_fetch(&pins()->calls_that_hang, 1, __ATOMIC_SEQ_CST);
}

}  // namespace

namespace caribou::tests {

bool SimulatedLines::exist() { return pins() != nullptr; }

void SimulatedLines::take_output(unsigned number, bool high) {
    SharedPins::store(pins()->level.at(number), high ? 1 : 0);
}

void SimulatedLines::set(unsigned number, bool high) {
    if (!high) SharedPins::store(pins()->low_since.at(number), nanoseconds_now());
    SharedPins::store(pins()->level.at(number), high ? 1 : 0);
}

bool SimulatedLines::get(unsigned number, bool is_output) {
    if (!is_output) hang_while(pins()->inputs_hang);
    if (SharedPins::load(pins()->stuck_line) == static_cast<int>(number)) return true;
    return SharedPins::load(pins()->level.at(number)) != 0;
}

}  // namespace caribou::tests

extern "C" {

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    if (pins() != nullptr) hang_while(pins()->pwm_hangs);
    return ::syscall(SYS_pwrite64, file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
    return pwrite(file, bytes, size, offset);
}

}  // extern "C"
