#include "behavior/journal.hpp"

#include <exception>

#include <fmt/format.h>

namespace caribou::behavior {

void Journal::begin() {
    open_ = true;
    changes_.clear();
    texts_used_ = 0;
    for (const Waiting& waiting : waiting_) broken(waiting.who, waiting.rule, waiting.why);
    waiting_.clear();
}

void Journal::broken(Who who, Rule rule, std::string_view why) {
    if (open_) {
        note(RuleBroken{who, rule, keep(why)});
    } else {
        waiting_.push_back({who, rule, std::string(why)});
    }
}

std::unexpected<Error> Journal::refuse(Who who, Rule rule, std::string_view why) {
    broken(who, rule, why);
    return fail(Code::refused,
                why.empty() ? std::string(sentence(rule)) : fmt::format("{}: {}", sentence(rule), why));
}

void Journal::threw(Who who, std::string_view where) {
    try {
        throw;
    } catch (const std::exception& error) {
        last_throw_ = fmt::format("{} threw: {}", where, error.what());
        // tidy: allow catch: user code may throw anything, and nothing of it may end the robot
    } catch (...) {
        last_throw_ = fmt::format("{} threw a value that is not a std::exception", where);
    }
    broken(who, Rule::no_throw, last_throw_);
}

std::string_view Journal::keep(std::string_view text) {
    if (text.empty()) return {};
    if (texts_used_ == texts_.size()) texts_.emplace_back();
    std::string& kept = texts_[texts_used_++];
    kept.assign(text);
    return kept;
}

}  // namespace caribou::behavior
