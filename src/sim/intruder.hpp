#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "link/frame_reader.hpp"
#include "link/message.hpp"
#include "link/secret_key.hpp"
#include "loop/network.hpp"

namespace caribou::sim {

/// An unauthorized peer that connects to a robot and tries one kind of misuse. Never sends what every peer is
/// permitted to send, such as a full stop.
class Intruder final : StreamEvents {
public:
    enum class Kind : std::uint8_t {
        silent,          ///< connects and sends nothing
        noisy,           ///< sends random bytes
        hasty,           ///< sends commands without identifying itself
        second_station,  ///< claims to be the robot's station, and drives
        observer,        ///< identifies itself as an observer, and drives anyway
        unleased,        ///< may drive, but does so while another peer holds the lease
        wrong_key,       ///< uses a key that the robot does not know
        replayer,        ///< repeats the bytes that the station has sent
    };
    static constexpr std::size_t kinds = 8;
    static constexpr std::size_t plain_kinds = 6;  ///< kinds that are possible without keys: the first ones

    /// `recorded` are the bytes that a replayer sends.
    Intruder(Network& network, const Address& robot, Kind kind, Random& random, Bytes recorded = {});

    Kind kind() const { return kind_; }
    bool is_connected() const { return is_open_ && stream_ != nullptr; }
    /// Returns whether the robot has accepted it as a peer.
    bool is_welcome() const { return is_welcome_; }
    /// Returns whether this kind has no key known to the robot.
    static bool is_outsider(Kind kind);
    /// Returns whether an outsider received more than unauthenticated peers may receive. Must never be true
    /// where there are keys.
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
    bool is_welcome_ = false;
    link::FrameReader reader_;
    std::unique_ptr<Stream> stream_;
};

std::string_view to_string(Intruder::Kind kind);

/// Returns a key that no other peer has.
link::SecretKey random_key(Random& random);

}  // namespace caribou::sim
