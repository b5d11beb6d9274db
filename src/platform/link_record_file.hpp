#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "platform/config_file.hpp"
#include "robot/link_record.hpp"
#include "robot/server_cookie.hpp"

namespace caribou {

/// What a robot remembers of its link, in a file that is whole at every moment.
class LinkRecordFile final : public robot::ServerCookie {
public:
    /// Counts a start: its number is on the disk before anybody can use it, so that no other start has the
    /// same, whenever the power is cut. A file that cannot be read is an error, and never a fresh one.
    static Result<std::unique_ptr<LinkRecordFile>> open(const std::string& path, double unix_seconds);

    std::uint64_t boot() const { return record_.boot; }
    std::string station() override;
    Result<void> keep(const std::string& station) override;

private:
    LinkRecordFile(const std::string& path, robot::LinkRecord record)
        : file_(path), record_(std::move(record)) {}

    std::mutex lock_;
    ConfigFile file_;
    robot::LinkRecord record_;
};

}  // namespace caribou
