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

/// One end of a connection on a MemoryNetwork. It owns the data in flight to it. The two ends point to each
/// other until one of them is destroyed. Private to loop.
class MemoryStream final : public Stream {
public:
    /// Creates the connecting end. The request to the listener at `to` is sent later, from the loop.
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

    /// Called when the link to the peer's host is restored.
    void resume();
    /// Called when this end's host has crashed: no more events or data, not even for its owner.
    void vanish();
    /// Called when the peer's host has crashed: nothing more arrives from it, and no error is reported.
    void lose_sight_of_peer();
    /// Ends the connection with an error.
    void reset();

private:
    enum class Phase { connecting, open, failed, vanished };

    /// Something in flight to an end, with its time of arrival.
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
    MemoryStream* peer_ = nullptr;  ///< null before the connection is accepted, and after either end is gone
    StreamEvents* events_ = nullptr;

    Place destination_;                ///< while connecting
    std::unique_ptr<Timer> knock_;     ///< until the other host has replied
    std::unique_ptr<Timer> deadline_;  ///< while connecting

    std::deque<Parcel> in_flight_;  ///< to this end, in order
    std::unique_ptr<Timer> arrival_;
    Instant last_arrival_{};  ///< of the last parcel sent: later ones do not overtake it
    ByteQueue arrived_;
    std::size_t unacknowledged_ = 0;  ///< bytes read here, not reported to the peer over a cut link
    std::size_t on_the_way_ = 0;      ///< bytes written here that the peer has not read yet
    bool ended_ = false;              ///< the peer's end of stream has arrived
    std::optional<Error> lost_;       ///< why the connection was lost or failed

    bool reading_ = true;
    bool blocked_ = false;     ///< a write accepted less than it was offered
    bool to_open_ = false;     ///< on_open has to be called
    bool to_fail_ = false;     ///< on_connect_failed has to be called
    bool end_read_ = false;    ///< read() has returned the end or the error
    bool progressed_ = false;  ///< something was read since the last event
    Bell bell_;
};

}  // namespace caribou
