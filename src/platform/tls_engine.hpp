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

/// What all connections of a program share. Outlives them.
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

/// One end of TLS 1.3 with a pre-shared key: bytes in, bytes out. Both ends prove that they hold the key,
/// and each connection has secrets of its own, so that nobody who finds the key later can read what was
/// said before. OpenSSL is seen by tls_engine.cpp alone.
class TlsEngine {
public:
    static std::unique_ptr<TlsEngine> client(TlsContext& context, const link::SecretKey& key);
    static std::unique_ptr<TlsEngine> server(TlsContext& context, link::KeyLookup keys);
    ~TlsEngine();
    TlsEngine(const TlsEngine&) = delete;
    TlsEngine& operator=(const TlsEngine&) = delete;

    /// Bytes that came from the other end.
    void feed(ByteView received);
    /// Whether something that came was not read yet.
    bool holds_received() const;
    /// Bytes for the other end, and that the first of them are on their way.
    ByteView outgoing() const;
    void sent(std::size_t size);

    /// True: it stands. False: it needs more bytes from the other end. On an error there may be something
    /// outgoing all the same: the word to the other end that this is no use.
    Result<bool> shake_hands();
    /// Once it stands. 0: it needs more bytes. closed: the other end has said that it ends.
    Result<std::size_t> read(std::span<std::byte> into);
    /// Once it stands. At most max_record bytes, which become outgoing. Fails after read() has.
    Result<void> write(ByteView content);
    /// The last word: nothing is written any more.
    void end();

    /// The key that the other end, or this one, says it holds; proven once it stands.
    std::optional<link::KeyId> key() const;
    /// Once it stands: a key that only the two ends can know.
    link::SecretKey derive(std::string_view purpose) const;

    static constexpr std::size_t max_record = 16_KiB;

private:
    struct Impl;
    explicit TlsEngine(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

}  // namespace caribou
