#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "link/message.hpp"
#include "link/secret_key.hpp"
#include "loop/network.hpp"

namespace caribou::sim {

/// Somebody on the network who has no business with a robot: dials it, and tries what comes to mind. Never
/// what only a peer that was let in by a person could say, such as a full stop.
class Intruder final : StreamEvents {
public:
    enum class Kind : std::uint8_t {
        silent,          ///< dials, and says nothing
        noisy,           ///< says nonsense
        hasty,           ///< gives commands without saying who it is
        second_station,  ///< says that it is the robot's station, and drives
        observer,        ///< says who it is, may only look, and drives all the same
        unleased,        ///< may drive, and does while somebody else has the lease
        wrong_key,       ///< proves a key that the robot does not know
        replayer,        ///< says again, byte by byte, what the station has said
    };
    static constexpr std::size_t kinds = 8;
    static constexpr std::size_t plain_kinds = 6;  ///< the first ones: where there are no keys

    /// `recorded`: what a replayer says.
    Intruder(Network& network, const Address& robot, Kind kind, Random& random, Bytes recorded = {});

    Kind kind() const { return kind_; }
    /// It has no key that the robot knows.
    static bool is_outsider(Kind kind);
    /// An outsider heard more than who has no key may hear: where there are keys, nobody ever does.
    bool got_in() const;

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override {}
    void on_connect_failed(const Error&) override { stream_.reset(); }

    void say(ByteView bytes);
    void say(const link::LinkMessage& message);
    void give_commands();

    Kind kind_;
    Random random_;
    Bytes recorded_;
    bool is_open_ = false;
    std::size_t heard_ = 0;  ///< bytes
    std::unique_ptr<Stream> stream_;
};

std::string_view to_string(Intruder::Kind kind);

/// One that nobody else has.
link::SecretKey random_key(Random& random);

}  // namespace caribou::sim
