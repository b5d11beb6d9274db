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

/// A serial port, read on its own thread. A port that disappears is reopened; attempts are made once per
/// second.
class SerialPort {
public:
    using OnBytes = std::function<void(std::string_view)>;

    /// Fails with Code::invalid_argument if the speed is not supported. A missing port is not an error.
    /// `on_bytes` is called, and `log` used, on the thread, which is named `sensors`.
    static Result<std::unique_ptr<SerialPort>> open(const std::string& path, int baud, OnBytes on_bytes,
                                                    Log& log);
    ~SerialPort();
    SerialPort(const SerialPort&) = delete;
    SerialPort& operator=(const SerialPort&) = delete;

    /// Non-blocking. Thread-safe.
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
    Descriptor wake_;  ///< written to when the thread must end
    std::mutex mutex_;
    Descriptor port_;  // replaced by the thread; guarded by mutex_
    std::thread thread_;
};

}  // namespace caribou
