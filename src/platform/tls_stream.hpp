#pragma once

#include <memory>
#include <optional>
#include <string>

#include "link/secured_stream.hpp"
#include "loop/bell.hpp"
#include "loop/network.hpp"
#include "platform/tls_engine.hpp"
#include "platform/turn_budget.hpp"

namespace caribou {

/// TLS over any other stream. Whoever is attached hears on_open when both ends have proven their key, on
/// either side, or on_connect_failed with the reason why they have not. It keeps at most one record that
/// the stream below did not take; destroying the stream loses that, so a last word that has to arrive waits
/// for its answer.
class TlsStream final : public link::SecuredStream, private StreamEvents {
public:
    /// The end that dials. `limit` is for the handshake, once the stream below stands. `budget`, which may
    /// be none, bounds its work in the handshake.
    static std::unique_ptr<TlsStream> connect(Loop& loop, Network& below, const Address& to,
                                              std::unique_ptr<TlsEngine> engine, Duration limit,
                                              TurnBudget* budget, StreamEvents& events);
    /// The end that was dialled.
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

    /// Nobody hears it any more, until somebody attaches.
    void silence();
    /// The key that the other end says it holds, also while that is not proven.
    std::optional<link::KeyId> claimed_key() const { return engine_->key(); }

private:
    TlsStream(Loop& loop, std::unique_ptr<TlsEngine> engine, Duration limit, StreamEvents& events);

    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    void begin();
    /// The first word of who dials.
    void greet();
    void shake();
    Result<bool> shake_with_what_came();
    void stand();
    void give_up(const Error& why);
    void offer_what_is_left();
    /// Hands what is outgoing to the stream below, as far as that takes it.
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
    bool blocked_ = false;      ///< a write took less than it was offered
    bool progressed_ = false;   ///< something was read since the last event
    bool more_ = false;         ///< the last read filled its room: the engine may hold more
    std::optional<Error> end_;  ///< of what can be read
    Bell bell_;
};

}  // namespace caribou
