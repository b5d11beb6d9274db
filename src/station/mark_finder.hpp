#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/mcap.hpp"
#include "data/marks_message.hpp"
#include "data/status.hpp"

namespace caribou::station {

/// Finds the moments of a recording that are worth looking at: changes of the run mode, of the connection, of
/// behaviors and of faults, stops and releases, and reports. Reads recordings of all versions.
class MarkFinder {
public:
    static constexpr std::size_t max_marks = 2000;

    /// The recording must outlive this object.
    explicit MarkFinder(wire::McapReader reader) : reader_(std::move(reader)) {}

    /// Reads at most that many messages. Returns whether the end of the recording was reached.
    bool read_on(int messages);
    /// Returns the marks found so far, without the name of the recording. The last call.
    data::MarksMessage take();

private:
    /// The latest known state of a robot. A status without telemetry, such as that of a new connection, does
    /// not change what was known before.
    struct Known {
        bool is_connected = false;
        bool is_off = false;
        std::optional<data::Modes> modes{};
        std::optional<bool> stopped{};
        std::optional<std::vector<std::string>> faults{};
        std::optional<std::string> behavior{};
    };

    void take_message(const wire::McapMessage& message);
    void take_connection(Known& known, const data::Status& status);
    void take_modes(Known& known, const data::Modes& modes);
    void take_stop(Known& known, bool stopped);
    void take_faults(Known& known, const std::vector<std::string>& faults);
    void take_behavior(Known& known, const std::string& behavior);
    void add(data::MarkKind kind, std::string text);

    wire::McapReader reader_;
    std::map<std::string, Known, std::less<>> known_;  ///< by robot
    std::vector<data::Mark> marks_;
    double at_ = 0;      ///< of the message being read
    std::string robot_;  ///< likewise
};

}  // namespace caribou::station
