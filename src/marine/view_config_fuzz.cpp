// Arbitrary text as the mission file of a marine view, with clicks and buttons from a page; as the info file
// of its background, as a thrust map, a start position and a log: what is read is within its limits.

#include <cmath>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/mission.hpp"
#include "marine/replay.hpp"
#include "marine/thrust_map.hpp"
#include "marine/vehicle_app.hpp"
#include "marine/view_config.hpp"
#include "marine/view_feed.hpp"

using namespace caribou;
using namespace caribou::marine;

namespace {

void press(ViewFeed& feed, std::string body) {
    const auto answer = feed.answer(
        {.method = "POST", .target = "/marine/press", .body = std::move(body), .host = "localhost"}, 1000);
    check(answer && (answer->status == 200 || answer->status == 400), "a press is answered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    const bus::Mission mission = bus::parse_moos_mission(input, "f.moos", [](auto) { return std::nullopt; });
    const ViewConfig config = view_config(mission);
    check(config.shown.buttons.size() == config.buttons.size(), "the page knows each button");
    for (const auto& finding : config.findings) check(finding.line >= 1, "a finding has a line");
    if (const auto edges = background_edges(input, config.geodesy ? &*config.geodesy : nullptr))
        check(!data::to_json(*edges).empty(), "edges have a JSON form");
    if (const auto map = ThrustMap::parse(input, 20, true))
        for (const double thrust : {-100.0, -3.0, 0.0, 50.0, 100.0})
            check(std::isfinite(map->speed(thrust)), "a speed is a number");
    if (const auto state = parse_vehicle_state(input, {}))
        check(std::isfinite(state->x) && std::isfinite(state->heading), "a position is a number");
    std::ignore = replay_events({{"abe", input}}, config);

    std::size_t written = 0;
    ViewFeed feed(config, [&](const wire::MessageView& value) -> Result<void> {
        written += value.key.size();
        return {};
    });
    for (std::size_t i = 0; i < config.buttons.size(); ++i)
        press(feed, "kind=button&vehicle=abe&index=" + std::to_string(i));
    for (const char* const side : {"left", "right"})
        press(feed, std::string("kind=click&x=3&y=4&vehicle=abe&menu=go&side=") + side);
    press(feed, std::string(input));
    return 0;
}
