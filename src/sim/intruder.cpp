#include "sim/intruder.hpp"

#include <array>
#include <utility>

#include "link/keyed_network.hpp"

namespace caribou::sim {

std::string_view to_string(Intruder::Kind kind) {
    constexpr std::array<std::string_view, Intruder::kinds> names{
        "silent", "noisy", "hasty", "second station", "observer", "unleased", "wrong key", "replayer"};
    return names[static_cast<std::size_t>(kind)];
}

link::SecretKey random_key(Random& random) {
    Bytes bytes(link::SecretKey::size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    return link::SecretKey(ByteView(bytes).first<link::SecretKey::size>());
}

Intruder::Intruder(Network& network, const Address& robot, Kind kind, Random& random, Bytes recorded)
    : kind_(kind),
      random_(random.next()),
      recorded_(std::move(recorded)),
      stream_(network.connect(robot, *this)) {}

bool Intruder::is_outsider(Kind kind) {
    using enum Kind;
    return kind != second_station && kind != observer && kind != unleased;
}

bool Intruder::got_in() const {
    if (!is_outsider(kind_)) return false;
    return kind_ == Kind::wrong_key ? is_open_ : heard_ > link::KeyedNetwork::reply_size;
}

void Intruder::on_open() {
    using enum Kind;
    is_open_ = true;
    if (kind_ == silent) return;
    if (kind_ == replayer) return say(ByteView(recorded_));
    if (kind_ == noisy) {
        Bytes noise(1 + random_.below(200));
        for (std::byte& byte : noise) byte = static_cast<std::byte>(random_.below(256));
        return say(ByteView(noise));
    }
    if (kind_ == hasty) return give_commands();
    say(link::Auth{.name = "intruder",
                   .role = kind_ == observer ? link::Role::observe : link::Role::drive,
                   .send_to = kind_ == second_station ? "intruder:9600" : ""});
    give_commands();
}

void Intruder::give_commands() {
    constexpr std::array commands{"move_forward level=3 ttl=2s",
                                  "spin_left level=2",
                                  "setRM(2)",
                                  "setRM(0)",
                                  "release_stop",
                                  "take_lease",
                                  "dock"};
    const std::uint64_t first = random_.next() >> 1U;
    for (std::uint64_t i = 0; i < 1 + random_.below(5); ++i) {
        auto command = link::command_from(commands[random_.below(commands.size())]);
        if (!command) continue;
        command->id = {first + i};
        say(*command);
    }
}

void Intruder::say(const link::LinkMessage& message) { say(ByteView(link::frame_of(message))); }

void Intruder::say(ByteView bytes) {
    if (stream_) std::ignore = stream_->write({&bytes, 1});
}

void Intruder::on_readable() {
    std::array<std::byte, 4096> scratch;
    const auto size = stream_->read(scratch);
    if (!size) return stream_.reset();
    heard_ += *size;
    reader_.add(ByteView(scratch).first(*size));
    // Also reads the reply of a handshake, which is no message.
    for (auto message = reader_.next(); message && *message; message = reader_.next())
        is_welcome_ = is_welcome_ || std::holds_alternative<link::Welcome>(**message);
}

}  // namespace caribou::sim
