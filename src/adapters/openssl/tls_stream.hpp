#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adapters/openssl/tls_engine.hpp"
#include "link/secured_stream.hpp"
#include "loop/bell.hpp"
#include "loop/network.hpp"
#include "platform/turn_budget.hpp"

namespace caribou {

/// TLS over another stream. On either side, on_open is called when both ends have proved their key, or
/// on_connect_failed with the reason. Buffers at most one record that the stream below did not accept;
/// destroying the stream loses that, so a final message that must arrive needs an answer.
class TlsStream final : public link::SecuredStream, private StreamEvents {
public:
    /// Creates the connecting end. `limit` applies to the handshake, after the stream below is connected.
    /// `budget`, which may be null, limits its work in the handshake.
    static std::unique_ptr<TlsStream> connect(Loop& loop, Network& below, const Address& to,
                                              std::unique_ptr<TlsEngine> engine, Duration limit,
                                              TurnBudget* budget, StreamEvents& events);
    /// Creates the accepting end.
    static std::unique_ptr<TlsStream> accept(Loop& loop, std::unique_ptr<Stream> below,
                                             std::unique_ptr<TlsEngine> engine, Duration limit,
                                             TurnBudget* budget, StreamEvents& events);
    ~TlsStream() override;

    void attach(StreamEvents& events) override;
    Result<std::size_t> read(std::span<std::byte> into) override;
    Result<std::size_t> write(std::span<const ByteView> pieces) override;
    void set_reading(bool reading) override;
    std::string peer() const override { return below_->peer(); }
    link::KeyId key() const override;
    link::SecretKey derive(std::string_view purpose) const override { return engine_->derive(purpose); }

    /// Detaches the event handler, until another one is attached.
    void silence();
    /// Returns the key claimed by the peer, even before it is proved.
    std::optional<link::KeyId> claimed_key() const { return engine_->key(); }

private:
    TlsStream(Loop& loop, std::unique_ptr<TlsEngine> engine, Duration limit, StreamEvents& events);

    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    void begin();
    /// Sends the client's first message.
    void greet();
    void shake();
    Result<bool> shake_with_what_came();
    void stand();
    void give_up(const Error& why);
    void offer_what_is_left();
    /// Passes outgoing bytes to the stream below, as far as it accepts them.
    Result<void> flush();
    Error lost(std::string_view why) const;

    Loop& loop_;
    std::unique_ptr<TlsEngine> engine_;
    std::unique_ptr<Stream> below_;
    StreamEvents* events_;
    TurnBudget* budget_ = nullptr;
    Duration limit_;
    std::unique_ptr<Timer> deadline_;  ///< of the handshake
    bool to_greet_ = false;
    bool stands_ = false;
    bool reading_ = true;
    bool blocked_ = false;      ///< a write was accepted partially
    bool progressed_ = false;   ///< something was read since the last event
    bool more_ = false;         ///< the last read filled its buffer: the engine may hold more
    std::optional<Error> end_;  ///< end of the readable data
    Bell bell_;
};

}  // namespace caribou
