#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "loop/bell.hpp"
#include "loop/byte_queue.hpp"
#include "loop/memory_fabric.hpp"
#include "loop/stream.hpp"

namespace caribou {

/// One end of a connection on a MemoryNetwork. It owns what is on its way to it; the two ends know
/// each other until one goes. Private to loop.
class MemoryStream final : public Stream {
public:
    /// The end that asks to be let in at `to`. It asks from the loop, later.
    static std::unique_ptr<MemoryStream> connect(std::shared_ptr<MemoryFabric> fabric, std::string host,
                                                 const Address& to, StreamEvents& events);
    ~MemoryStream() override;

    void attach(StreamEvents& events) override;
    Result<std::size_t> read(std::span<std::byte> into) override;
    Result<std::size_t> write(std::span<const ByteView> pieces) override;
    void set_reading(bool reading) override;
    std::string peer() const override { return peer_name_; }

    const std::string& host() const { return host_; }
    const std::string& peer_host() const { return peer_host_; }

    /// The link to the peer's host is whole again.
    void resume();
    /// This end's host has crashed: it is silent from now on, also to its owner.
    void vanish();
    /// The peer's host has crashed: nothing more comes from there, and nothing says so.
    void lose_sight_of_peer();
    /// The connection ends with an error.
    void reset();

private:
    enum class Phase { connecting, open, failed, vanished };

    /// What travels to an end, besides what it says on arrival.
    struct Parcel {
        enum class Kind { opened, refused, bytes, end };
        Kind kind;
        Bytes bytes{};
        Instant arrives{};
    };

    MemoryStream(std::shared_ptr<MemoryFabric> fabric, Phase phase, std::string host, std::string peer_host,
                 std::string peer_name);

    void knock();
    void connect_failed(Error why);
    void part_from_peer();

    void expect(Parcel parcel);
    void unload_all_due();
    void unload(Parcel parcel);
    bool hears_at_once() const;
    void acknowledge(std::size_t bytes);

    bool linked() const { return fabric_->linked(host_, peer_host_); }
    std::size_t room() const;
    bool is_readable() const;
    bool is_writable() const;
    void notify();

    std::shared_ptr<MemoryFabric> fabric_;
    Phase phase_;
    std::string host_;
    std::string peer_host_;
    std::string peer_name_;
    std::uint64_t number_;
    MemoryStream* peer_ = nullptr;  ///< null before it is let in, and after either end is gone
    StreamEvents* events_ = nullptr;

    Place destination_;                ///< while connecting
    std::unique_ptr<Timer> knock_;     ///< until the other host has answered
    std::unique_ptr<Timer> deadline_;  ///< while connecting

    std::deque<Parcel> in_flight_;  ///< to this end, in order
    std::unique_ptr<Timer> arrival_;
    Instant last_arrival_{};  ///< of what was sent last: nothing overtakes it
    ByteQueue arrived_;
    std::size_t unacknowledged_ = 0;  ///< bytes read here that a cut link keeps the peer from knowing
    std::size_t on_the_way_ = 0;      ///< bytes written here that the peer has not read yet
    bool ended_ = false;              ///< the peer's end has arrived
    std::optional<Error> lost_;       ///< why the connection is no more, or never was

    bool reading_ = true;
    bool blocked_ = false;     ///< a write took less than it was offered
    bool to_open_ = false;     ///< on_open is to be called
    bool to_fail_ = false;     ///< on_connect_failed is to be called
    bool end_read_ = false;    ///< read() has told the end or the error
    bool progressed_ = false;  ///< something was read since the last event
    Bell bell_;
};

}  // namespace caribou
