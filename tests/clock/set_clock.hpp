#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/check.hpp"
#include "child/program.hpp"
#include "clock/shared_shift.hpp"

namespace caribou::tests {

/// The time of day of a program, which a test can set while the program runs.
class SetClock {
public:
    /// Creates the file that the program shares.
    explicit SetClock(std::string path) : path_(std::move(path)) {
        const int file = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        check(file >= 0 && ::ftruncate(file, sizeof(*shift_)) == 0, "the file of a clock is created");
        void* const mapped = ::mmap(nullptr, sizeof(*shift_), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        check(mapped != MAP_FAILED, "the file of a clock is mapped");
        shift_ = static_cast<SharedShift*>(mapped);
    }
    ~SetClock() { ::munmap(shift_, sizeof(*shift_)); }
    SetClock(const SetClock&) = delete;
    SetClock& operator=(const SetClock&) = delete;

    /// Returns the environment settings for the program.
    Words environment() const {
        return {"LD_PRELOAD=" + in_build("libcaribou_set_clock.so"), "CARIBOU_TEST_CLOCK=" + path_};
    }
    /// Sets the clock to this many seconds after the true time.
    void set(long seconds) { shift_->store(seconds); }

private:
    std::string path_;
    SharedShift* shift_ = nullptr;
};

}  // namespace caribou::tests
