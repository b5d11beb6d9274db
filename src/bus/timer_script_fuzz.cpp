// Lines of the block of uTimerScript: events, random variables and spans. What is read is run as a script: no
// event is posted more often than its amount per round.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/timer_script.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    TimerScript::Settings settings{.reset = TimerScript::Reset::all_posted, .most_resets = 2};
    std::size_t copies = 0;
    while (!input.empty()) {
        const std::string_view line = input.substr(0, input.find('\n'));
        input.remove_prefix(std::min(input.size(), line.size() + 1));
        if (auto event = parse_timer_event(line); event && copies < 100) {
            event->amount = std::min(event->amount, 10);
            copies += static_cast<std::size_t>(event->amount);
            settings.events.push_back(std::move(*event));
        }
        if (auto macro = parse_timer_macro(line)) settings.macros.push_back(std::move(*macro));
        if (auto span = parse_number_span(line)) settings.delay_reset = *span;
    }
    TimerScript script(std::move(settings), Random(1));
    Instant now{};
    std::size_t posted = 0;
    for (int i = 0; i < 20; ++i) {
        now += std::chrono::seconds(1);
        if (i % 3 == 0) script.forward(0);
        posted += script.step(now, i % 5 != 0, {.utc = 1, .db_uptime = 2.0, .community = "c"}).size();
        check(!script.status().empty() && !script.table().empty(), "a script has a status");
    }
    check(posted <= copies * 3, "no event is posted more often than its amount per round");
    return 0;
}
