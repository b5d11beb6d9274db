// Preloaded into `caribou` (LD_PRELOAD) to replace libgpiod and writes to PWM files: a machine with pins
// whose device calls can be made to hang.

#include <fcntl.h>
#include <gpiod.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>

#include "pins/shared_pins.hpp"

using caribou::tests::SharedPins;

struct gpiod_line {
    unsigned number = 0;
    bool is_output = false;
};
struct gpiod_chip {
    std::array<gpiod_line, 32> lines{};
};

namespace {

gpiod_chip the_chip;

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

extern "C" {

gpiod_chip* gpiod_chip_open(const char*) { return pins() == nullptr ? nullptr : &the_chip; }
void gpiod_chip_close(gpiod_chip*) {}
gpiod_line* gpiod_chip_get_line(gpiod_chip* chip, unsigned number) {
    chip->lines.at(number).number = number;
    return &chip->lines.at(number);
}
int gpiod_line_request_output(gpiod_line* line, const char*, int value) {
    line->is_output = true;
    SharedPins::store(pins()->level.at(line->number), value);
    return 0;
}
int gpiod_line_request_input(gpiod_line*, const char*) { return 0; }
int gpiod_line_set_value(gpiod_line* line, int value) {
    if (value == 0) SharedPins::store(pins()->low_since.at(line->number), nanoseconds_now());
    SharedPins::store(pins()->level.at(line->number), value);
    return 0;
}
int gpiod_line_get_value(gpiod_line* line) {
    if (!line->is_output) hang_while(pins()->inputs_hang);
    const bool is_stuck = SharedPins::load(pins()->stuck_line) == static_cast<int>(line->number);
    return is_stuck ? 1 : SharedPins::load(pins()->level.at(line->number));
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    if (pins() != nullptr) hang_while(pins()->pwm_hangs);
    return ::syscall(SYS_pwrite64, file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
    return pwrite(file, bytes, size, offset);
}

}  // extern "C"
