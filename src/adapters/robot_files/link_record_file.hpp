#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "adapters/robot_files/config_file.hpp"
#include "loop/clock.hpp"
#include "robot/link_record.hpp"
#include "robot/server_cookie.hpp"

namespace caribou {

/// The state of a robot's link in a file that is always complete.
class LinkRecordFile final : public robot::ServerCookie {
public:
    /// Increments the number of starts, which is on the disk before it is used, so that no two starts have
    /// the same number even after a power failure. If it cannot be written, because the disk is full or
    /// read-only, the number depends on the time since the start of the machine instead (not_stored()). An
    /// unreadable file is an error; it is never replaced by a new one.
    static Result<std::unique_ptr<LinkRecordFile>> open(const std::string& path, const Clock& clock);

    /// Returns the number of this start.
    std::uint64_t boot() const { return record_.boot; }
    /// Returns why the number is not stored; empty if it is.
    const std::string& not_stored() const { return not_stored_; }
    std::string station() override;
    Result<void> keep(const std::string& station) override;

private:
    LinkRecordFile(const std::string& path, robot::LinkRecord record)
        : file_(path), record_(std::move(record)) {}

    std::mutex lock_;
    ConfigFile file_;
    robot::LinkRecord record_;
    std::string not_stored_;
};

}  // namespace caribou
