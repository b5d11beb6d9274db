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

/// Sees to it that every command gets exactly one final answer, and that one whose id was there before
/// is answered again without being carried out again. Ids belong to the name of who sends them.
class AnswerBook {
public:
    using Key = std::pair<std::string, std::uint64_t>;
    static constexpr std::size_t max_remembered = 1024;
    static constexpr std::size_t max_open = 256;
    static constexpr std::size_t max_asking = 8;  ///< for the answer to one command

    enum class Entry : std::uint8_t {
        fresh,     ///< carry it out
        repeated,  ///< it is answered, or will be
        full,      ///< too many wait for their answers
    };
    Entry open(const Request& request);
    /// An answer; a second final one is a mistake of the programmer. Calls everybody who asked.
    void answer(const Key& key, const link::Answer& answer);
    /// Answers everything that is open: nothing of it will be done.
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
    std::deque<Key> order_;  ///< of what is remembered, the oldest first
};

}  // namespace caribou::robot
