#include "sim/intruder.hpp"

#include <array>

namespace caribou::sim {

std::string_view to_string(Intruder::Kind kind) {
    constexpr std::array<std::string_view, Intruder::kinds> names{"silent",         "noisy",    "hasty",
                                                                  "second station", "observer", "unleased"};
    return names[static_cast<std::size_t>(kind)];
}

Intruder::Intruder(Network& network, const Address& robot, Kind kind, Random& random)
    : kind_(kind), random_(random.next()), stream_(network.connect(robot, *this)) {}

void Intruder::on_open() {
    using enum Kind;
    if (kind_ == silent) return;
    if (kind_ == noisy) {
        Bytes noise(1 + random_.below(200));
        for (std::byte& byte : noise) byte = static_cast<std::byte>(random_.below(256));
        const ByteView piece = noise;
        std::ignore = stream_->write({&piece, 1});
        return;
    }
    if (kind_ == hasty) return give_commands();
    say(link::Auth{.name = "intruder",
                   .role = kind_ == observer ? link::Role::observe : link::Role::drive,
                   .send_to = kind_ == second_station ? "intruder:9600" : ""});
    give_commands();
}

void Intruder::give_commands() {
    constexpr std::array commands{
        "move_forward level=3 ttl=2s", "spin_left level=2", "setRM(2)", "setRM(0)", "release_stop", "dock"};
    const std::uint64_t first = random_.next() >> 1U;
    for (std::uint64_t i = 0; i < 1 + random_.below(5); ++i) {
        auto command = link::command_from(commands[random_.below(commands.size())]);
        if (!command) continue;
        command->id = {first + i};
        say(*command);
    }
}

void Intruder::say(const link::LinkMessage& message) {
    const Bytes frame = link::frame_of(message);
    const ByteView piece = frame;
    if (stream_) std::ignore = stream_->write({&piece, 1});
}

void Intruder::on_readable() {
    std::array<std::byte, 4096> scratch;
    if (!stream_->read(scratch)) stream_.reset();
}

}  // namespace caribou::sim
