#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou::robot {

/// The record of the station that a robot belongs to, which outlives the program. Any thread may call.
class ServerCookie {
public:
    virtual ~ServerCookie() = default;
    /// What the station is called among the robot's keys. Empty: it belongs to none.
    virtual std::string station() = 0;
    virtual Result<void> keep(const std::string& station) = 0;
    virtual Result<void> drop() { return keep(""); }
};

/// Forgets it with the program.
class MemoryServerCookie final : public ServerCookie {
public:
    std::string station() override { return kept; }
    Result<void> keep(const std::string& station) override {
        kept = station;
        return {};
    }

    std::string kept;
};

}  // namespace caribou::robot
