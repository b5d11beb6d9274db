// Replays arbitrary bytes as a recording: the output must be JSON at every position.

#include <cstdint>
#include <memory>
#include <span>

#include "base/check.hpp"
#include "base/json_node.hpp"
#include "loop/virtual_loop.hpp"
#include "station/recording_player.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace std::chrono_literals;
    VirtualLoop loop;
    const auto opened =
        station::RecordingPlayer::open(loop, "x", FileImage(std::as_bytes(std::span(data, size)), nullptr));
    if (!opened) return 0;
    station::RecordingPlayer& player = **opened;
    const auto look = [&] {
        station::FleetFeed::Cursor cursor;
        station::FleetFeed::watch(cursor, {"ada"}, {views::all_views.begin(), views::all_views.end()});
        check(read_json(player.feed().next(cursor, player.now())).has_value(), "what is told is JSON");
    };
    look();
    player.find_marks([](const data::MarksMessage& marks) {
        check(read_json(to_json(marks)).has_value(), "marks are JSON");
    });
    player.set_speed(100);
    player.play();
    loop.advance(2s);
    look();
    player.seek((player.start() + player.end()) / 2);
    player.set_speed(0.1);
    loop.advance(1s);
    look();
    player.seek(player.end());
    look();
    return 0;
}
