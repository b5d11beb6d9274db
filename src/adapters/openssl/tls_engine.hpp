#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "link/key_lookup.hpp"
#include "link/secret_key.hpp"

namespace caribou {

/// State shared by all connections of a program. Must outlive them.
class TlsContext {
public:
    TlsContext();
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

private:
    friend class TlsEngine;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// One end of a TLS 1.3 connection with a pre-shared key: bytes in, bytes out. Both ends prove that they hold
/// the key, and each connection has its own secrets (forward secrecy). Only tls_engine.cpp uses OpenSSL.
class TlsEngine {
public:
    /// Creates the connecting end, which proves `key`. The context must outlive it.
    static std::unique_ptr<TlsEngine> client(TlsContext& context, const link::SecretKey& key);
    /// Creates the accepting end, which looks up the key that the client claims. The context must outlive it.
    static std::unique_ptr<TlsEngine> server(TlsContext& context, link::KeyLookup keys);
    ~TlsEngine();
    TlsEngine(const TlsEngine&) = delete;
    TlsEngine& operator=(const TlsEngine&) = delete;

    /// Adds bytes received from the peer.
    void feed(ByteView received);
    /// Returns whether there are received bytes that have not been read.
    bool holds_received() const;
    /// Return the bytes to send to the peer, and remove the first of them after they were sent.
    ByteView outgoing() const;
    void sent(std::size_t size);

    /// Continues the handshake. Returns true once it is complete, and false if it needs more bytes from the
    /// peer. Even on an error there may be outgoing bytes: the alert for the peer.
    Result<bool> shake_hands();
    /// Must only be called after the handshake. Returns 0 if it needs more bytes. Fails with closed if the
    /// peer has closed the connection.
    Result<std::size_t> read(std::span<std::byte> into);
    /// Must only be called after the handshake. Encrypts at most max_record bytes, which become outgoing.
    /// Fails after read() has failed.
    Result<void> write(ByteView content);
    /// Sends the closing alert; no writes may follow.
    void end();

    /// Returns the key claimed by the client; proved once the handshake is complete.
    std::optional<link::KeyId> key() const;
    /// Must only be called after the handshake. Returns a key that only the two ends can derive.
    link::SecretKey derive(std::string_view purpose) const;

    static constexpr std::size_t max_record = 16_KiB;

private:
    struct Impl;
    explicit TlsEngine(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

}  // namespace caribou
