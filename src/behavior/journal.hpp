#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.hpp"
#include "behavior/difference.hpp"

namespace caribou::behavior {

/// Collects the difference of the current tick. Its memory is reused from tick to tick.
class Journal {
public:
    /// Discards the last tick. Rules broken since then come first.
    void begin();
    void end() { open_ = false; }

    void note(const Change& change) { changes_.push_back(change); }
    /// Reports a broken rule. If called between ticks, the report belongs to the next one.
    void broken(Who who, Rule rule, std::string_view why);
    /// Same as broken(), and returns the error for the caller. `why` may be empty if the rule suffices.
    std::unexpected<Error> refuse(Who who, Rule rule, std::string_view why = {});
    /// Reports the current exception; must be called inside a catch block. `where` is the name of the hook.
    void threw(Who who, std::string_view where);
    /// Returns the message of the last exception for use in outcomes, such as `update threw: no map`.
    const std::string& last_throw() const { return last_throw_; }

    /// Returns a copy that is valid until the next tick begins.
    std::string_view keep(std::string_view text);
    std::span<const Change> changes() const { return changes_; }

private:
    struct Waiting {
        Who who;
        Rule rule;
        std::string why;
    };
    bool open_ = false;
    std::vector<Change> changes_;
    std::vector<Waiting> waiting_;
    std::deque<std::string> texts_;
    std::size_t texts_used_ = 0;
    std::string last_throw_;
};

/// Runs user code and reports its exceptions. Returns true, or the result of the code in an optional; false
/// or an empty optional after an exception. The result is returned, never assigned to a variable that was
/// initialized before the call: g++ 12 with -O2 drops such an initial value as a dead store if the function
/// that throws returns a structure in memory.
template <class Code>
auto contain(Journal& journal, Who who, std::string_view where, Code&& code) {
    using Value = std::invoke_result_t<Code&>;
    using Answer = std::conditional_t<std::is_void_v<Value>, bool, std::optional<Value>>;
    try {
        if constexpr (std::is_void_v<Value>) {
            code();
            return Answer(true);
        } else {
            return Answer(code());
        }
        // tidy: allow catch: user code may throw anything, and nothing of it may end the robot
    } catch (...) {
        journal.threw(who, where);
        return Answer();
    }
}

}  // namespace caribou::behavior
