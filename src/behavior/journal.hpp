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

/// The difference of the running tick, as it grows. Its memory is used again tick after tick.
class Journal {
public:
    /// Forgets the last tick. What was broken since then comes first.
    void begin();
    void end() { open_ = false; }

    void note(const Change& change) { changes_.push_back(change); }
    /// May be called between ticks, too: then it belongs to the next one.
    void broken(Who who, Rule rule, std::string_view why);
    /// The same, and the error for who made the call. `why` may be empty: the rule says enough.
    std::unexpected<Error> refuse(Who who, Rule rule, std::string_view why = {});
    /// To be called inside a catch block; reports the exception. `where` is the hook's name.
    void threw(Who who, std::string_view where);
    /// What the last exception said: `update threw: no map`. For outcomes.
    const std::string& last_throw() const { return last_throw_; }

    /// A copy that lives until the next tick begins.
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

/// Runs user code and reports what it throws. Returns true, or the value of the code in an optional;
/// false or an empty optional after a throw. The value is returned, never assigned to a variable that
/// was initialized before the call: g++ 12 with -O2 drops such an initial value as a dead store if the
/// function that throws returns a structure in memory.
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
