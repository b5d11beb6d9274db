#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "robot/robot_request.hpp"

namespace caribou::robot {

/// Ensures that every command receives exactly one final answer, and that a command with a known id is
/// answered again without being executed again. Ids are unique per name of the sender.
class AnswerBook {
public:
    using Key = std::pair<std::string, std::uint64_t>;
    static constexpr std::size_t max_remembered = 1024;
    static constexpr std::size_t max_open = 256;
    static constexpr std::size_t max_asking = 8;  ///< askers waiting for the answer to one command

    /// What to do with a command.
    enum class Entry : std::uint8_t {
        fresh,     ///< must be executed
        repeated,  ///< has been or will be answered
        full,      ///< too many commands are pending
    };
    /// Registers a command and its asker. For a repeated command, `reply` receives the known answer or,
    /// later, the final one.
    Entry open(const Request& request);
    /// Answers a command; a second final answer is a programming error. Calls all askers.
    void answer(const Key& key, const link::Answer& answer);
    /// Refuses all pending commands.
    void refuse_all(const link::Objection& why);

    static Key key_of(const Request& request) { return {request.peer.name, request.command.id.value}; }
    std::size_t open_count() const { return open_.size(); }
    std::size_t remembered_count() const { return remembered_.size(); }

private:
    struct Open {
        std::vector<Reply> replies;
        std::optional<link::Answer> accepted;
    };
    std::map<Key, Open> open_;
    std::map<Key, link::Answer> remembered_;
    std::deque<Key> order_;  ///< remembered commands, oldest first
};

}  // namespace caribou::robot
