#include "robot/faults_line.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "base/words.hpp"
#include "loop/duration_text.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

constexpr Duration default_cut = 5s;
constexpr Duration longest_cut = 10min;

constexpr std::string_view help =
    "show: what can be broken, and what is\nbreak NAME\nmend NAME\n"
    "break link TIME: the link is cut for that time, 5s by default\n";

std::string list_of(const std::vector<motion::BodyFault>& faults) {
    std::string text;
    for (const motion::BodyFault& fault : faults)
        text += fmt::format("{:30} {}{}\n", fault.name, fault.broken ? "broken: " : "", fault.about);
    return text;
}

Result<std::string> break_link(const std::vector<std::string>& words,
                               const std::function<void(Duration)>& cut_link) {
    const auto time = words.size() > 2 ? duration_from(words[2]) : std::optional<Duration>(default_cut);
    if (!time || *time <= 0s || *time > longest_cut)
        return fail(Code::invalid_argument, "expected a time such as `5s`, at most 10 minutes");
    cut_link(*time);
    return fmt::format("the link is dead for {}", duration_text(*time));
}

}  // namespace

Result<std::string> run_faults_line(motion::Body& body, std::string_view line,
                                    const std::function<void(Duration)>& cut_link) {
    static const std::vector<std::string> known{"break", "mend", "show", "help"};
    const std::vector<std::string> words = words_in(line);
    const std::string_view verb = words.empty() ? "" : std::string_view(words[0]);
    if (verb == "help") return std::string(help);
    const std::vector<motion::BodyFault> all = body.faults();
    if (all.empty()) return fail(Code::unavailable, "only a simulated body can be broken");
    if (verb == "show") return list_of(all);
    const bool breaks = verb == "break";
    if ((!breaks && verb != "mend") || words.size() < 2)
        return fail(Code::invalid_argument,
                    fmt::format("expected `break NAME` or `mend NAME`{}", instead_of(verb, known)));
    if (breaks && words[1] == link_fault) return break_link(words, cut_link);
    if (auto done = body.set_fault(words[1], breaks); !done) return fail(std::move(done.error()));
    return fmt::format("{} is {}", words[1], breaks ? "broken" : "mended");
}

}  // namespace caribou::robot
