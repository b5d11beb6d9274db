#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
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

/// Runs code of the user. What it throws is reported; then the answer is false.
template <class Code>
bool contain(Journal& journal, Who who, std::string_view where, Code&& code) {
    try {
        code();
        return true;
        // tidy: allow catch: user code may throw anything, and nothing of it may end the robot
    } catch (...) {
        journal.threw(who, where);
        return false;
    }
}

}  // namespace caribou::behavior
