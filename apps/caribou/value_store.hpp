#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adapters/bus_files/journal_thread.hpp"
#include "bus/broker_server.hpp"
#include "bus/journal_files.hpp"
#include "platform/event_loop.hpp"
#include "platform/file_disk.hpp"

namespace caribou::app {

/// The directory of a broker's stored values. Must outlive the broker.
class ValueStore {
public:
    /// Locks the directory and reads the stored values.
    static Result<std::unique_ptr<ValueStore>> open(const std::string& directory, Log& log);

    /// Restores the values in the broker, and stores its values from now on.
    void serve(EventLoop& loop, bus::BrokerServer& server, bus::Durability durability);

private:
    ValueStore(std::unique_ptr<FileDisk> disk, Log& log)
        : log_(log), disk_(std::move(disk)), files_(*disk_) {}

    Log& log_;
    std::unique_ptr<FileDisk> disk_;
    bus::JournalFiles files_;
    bus::JournalFiles::Kept kept_;
    std::optional<JournalThread> thread_;
};

}  // namespace caribou::app
