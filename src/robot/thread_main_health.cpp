// Health of the robot, and simulated faults.

#include <algorithm>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "base/words.hpp"
#include "loop/duration_text.hpp"
#include "robot/thread_main.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::RunMode;

constexpr std::string_view link_fault = "link";

}  // namespace

void ThreadMain::ask_health(TellView tell) {
    parts_.strand.post_here([this, tell = std::move(tell)] { tell(to_json(health())); });
}

std::array<Alive, thread_count> ThreadMain::alive() const {
    auto all = parts_.buffers.alive.copy();
    const motion::MotionReport motion = parts_.motion.report();
    all.at(static_cast<std::size_t>(ThreadName::propulsion)) = {motion.at, motion.steps};
    return all;
}

void ThreadMain::measure_rates() {
    const auto after = alive();
    const double seconds = to_seconds(now() - measured_);
    if (seconds <= 0) return;
    for (std::size_t i = 0; i < thread_count; ++i)
        rates_.at(i) = static_cast<double>(after.at(i).rounds - before_.at(i).rounds) / seconds;
    before_ = after;
    measured_ = now();
}

HealthPicture ThreadMain::health() {
    HealthPicture picture{
        .steps = start_up_.taken(), .faults = parts_.body.faults(), .link = parts_.buffers.link_board.copy()};
    const auto seen = alive();
    for (std::size_t i = 0; i < thread_count; ++i) {
        HealthPicture::Thread thread{std::string(to_string(static_cast<ThreadName>(i))), "stopped"};
        thread.rate = rates_.at(i);
        if (seen.at(i).last != Instant{}) {
            thread.last = to_seconds(now() - seen.at(i).last);
            thread.state = *thread.last < to_seconds(alive_limit) ? "running" : "late";
        }
        if (const std::string* const why = start_up_.complaint_of(static_cast<ThreadName>(i)))
            thread.why = *why;
        picture.threads.push_back(std::move(thread));
    }
    for (const RunMode mode :
         {RunMode::rm0, RunMode::rm1, RunMode::rm2, RunMode::rm3, RunMode::rm4, RunMode::rm5}) {
        ModeWish wish{.mode = mode};
        if (mode == RunMode::rm1) wish.reason = link::WaitReason::requested_sleep;
        picture.may.push_back({mode, modes_.objection_to(wish)});
    }
    if (!picture.faults.empty())
        picture.faults.push_back(
            {std::string(link_fault), false, "hears nothing and is not heard for a while"});
    return picture;
}

Result<std::string> ThreadMain::faults(std::string_view line) {
    static const std::vector<std::string> known{"break", "mend", "show", "help"};
    const std::vector<std::string> words = words_in(line);
    const std::string_view word = words.empty() ? "" : std::string_view(words[0]);
    if (word == "help")
        return std::string(
            "show: what can be broken, and what is\nbreak NAME\nmend NAME\n"
            "break link TIME: it hears nothing and is not heard for so long, 5s at first\n");
    std::vector<motion::BodyFault> all = parts_.body.faults();
    if (all.empty()) return fail(Code::unavailable, "only a simulated body can be broken");
    if (word == "show") {
        std::string text;
        for (const motion::BodyFault& fault : all)
            text += fmt::format("{:30} {}{}\n", fault.name, fault.broken ? "broken: " : "", fault.about);
        return text;
    }
    if ((word != "break" && word != "mend") || words.size() < 2)
        return fail(Code::invalid_argument,
                    fmt::format("it is `break NAME` or `mend NAME`{}", instead_of(word, known)));
    if (words[1] == link_fault && word == "break") {
        const auto time = words.size() > 2 ? duration_from(words[2]) : std::optional<Duration>(5s);
        if (!time || *time <= 0s || *time > 10min)
            return fail(Code::invalid_argument,
                        "a link is broken for a time such as `5s`, at most 10 minutes");
        parts_.receiver.go_deaf(*time);
        parts_.transmission.go_mute(*time);
        return fmt::format("the link is dead for {}", duration_text(*time));
    }
    if (auto done = parts_.body.set_fault(words[1], word == "break"); !done)
        return fail(std::move(done.error()));
    return fmt::format("{} is {}", words[1], word == "break" ? "broken" : "mended");
}

}  // namespace caribou::robot
