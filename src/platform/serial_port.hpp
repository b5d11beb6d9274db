#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// A serial port that is read on a thread of its own. A port that goes away is looked for again, once
/// a second.
class SerialPort {
public:
    using OnBytes = std::function<void(std::string_view)>;

    /// Code::invalid_argument: no such speed. A port that is not there yet is no failure. `on_bytes` is
    /// called on the thread, which the system shows as `sensors`; `log` is written there.
    static Result<std::unique_ptr<SerialPort>> open(const std::string& path, int baud, OnBytes on_bytes,
                                                    Log& log);
    ~SerialPort();
    SerialPort(const SerialPort&) = delete;
    SerialPort& operator=(const SerialPort&) = delete;

    /// Any thread; waits for nobody.
    Result<void> write(std::string_view bytes);

private:
    SerialPort(std::string path, unsigned speed, OnBytes on_bytes, Log& log);
    void run();
    bool open_port();
    void read_until_lost();

    std::string path_;
    unsigned speed_;
    OnBytes on_bytes_;
    Log& log_;
    Descriptor wake_;  ///< written to when the thread has to end
    std::mutex mutex_;
    Descriptor port_;  // replaced by the thread, guarded by mutex_
    std::thread thread_;
};

}  // namespace caribou
