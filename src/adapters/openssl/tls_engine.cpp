#include "adapters/openssl/tls_engine.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou {

using link::KeyId;
using link::SecretKey;

namespace {

struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* ssl) const { SSL_free(ssl); }
    void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
};

constexpr const char* cipher_name = "TLS_CHACHA20_POLY1305_SHA256";
constexpr std::array<unsigned char, 2> cipher_number{0x13, 0x03};

/// Returns the session for a pre-shared key.
std::unique_ptr<SSL_SESSION, Free> session_of(SSL* ssl, const SecretKey& key) {
    std::unique_ptr<SSL_SESSION, Free> session(SSL_SESSION_new());
    const SSL_CIPHER* const cipher = SSL_CIPHER_find(ssl, cipher_number.data());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(key.bytes().data());
    const bool made = session && cipher && SSL_SESSION_set1_master_key(session.get(), bytes, key.size) == 1 &&
                      SSL_SESSION_set_cipher(session.get(), cipher) == 1 &&
                      SSL_SESSION_set_protocol_version(session.get(), TLS1_3_VERSION) == 1;
    check(made, "OpenSSL takes a pre-shared key");
    return session;
}

/// Returns why the peer ended the handshake with this alert.
std::string_view meaning_of_alert(int alert) {
    switch (alert) {
        case SSL_AD_HANDSHAKE_FAILURE:
        case SSL_AD_UNKNOWN_PSK_IDENTITY:
            return "the other side does not have this key, or does not listen to it at present; "
                   "`caribou pair list` there shows those that it has";
        case SSL_AD_ILLEGAL_PARAMETER:
        case SSL_AD_DECRYPT_ERROR: return "the other side has a different key under the same id";
        case SSL_AD_PROTOCOL_VERSION: return "the other side does not speak TLS 1.3";
        default: return "the other side broke it off";
    }
}

/// Returns the error of the last OpenSSL call.
Error failure() {
    const unsigned long error = ERR_peek_error();
    const int reason = ERR_GET_REASON(error);
    if (reason > SSL_AD_REASON_OFFSET)
        return {Code::refused, std::string(meaning_of_alert(reason - SSL_AD_REASON_OFFSET))};
    switch (reason) {
        case SSL_R_UNSUPPORTED_PROTOCOL: return {Code::refused, "it does not speak TLS 1.3"};
        case SSL_R_WRONG_VERSION_NUMBER:
        case SSL_R_HTTP_REQUEST:
        case SSL_R_HTTPS_PROXY_REQUEST:
        case SSL_R_UNEXPECTED_MESSAGE:
        case SSL_R_BAD_RECORD_TYPE:
        case SSL_R_PACKET_LENGTH_TOO_LONG:
            return {Code::malformed,
                    "the peer does not speak TLS; plain programs connect through `caribou tunnel`"};
        case SSL_R_BINDER_DOES_NOT_VERIFY: return {Code::refused, "it does not hold the key that it names"};
        default: break;
    }
    const char* const words = ERR_reason_error_string(error);
    return {Code::refused, fmt::format("TLS failed: {}", words ? words : "no reason given")};
}

}  // namespace

struct TlsContext::Impl {
    std::unique_ptr<SSL_CTX, Free> context{SSL_CTX_new(TLS_method())};
};

struct TlsEngine::Impl {
    std::unique_ptr<SSL, Free> ssl;
    BIO* in = nullptr;  ///< both are owned by ssl
    BIO* out = nullptr;
    std::optional<SecretKey> own_key;  ///< client only
    link::KeyLookup keys;              ///< server only
    std::optional<KeyId> key;
    std::string identity;
    std::optional<Error> refusal;  ///< error for the key id sent by the client
    bool stands = false;

    explicit Impl(SSL_CTX* context);
    static Impl& of(SSL* ssl) { return *static_cast<Impl*>(SSL_get_app_data(ssl)); }
    static int use_key(SSL* ssl, const EVP_MD* digest, const unsigned char** id, std::size_t* size,
                       SSL_SESSION** session);
    static int find_key(SSL* ssl, const unsigned char* id, std::size_t size, SSL_SESSION** session);
};

TlsContext::TlsContext() : impl_(std::make_unique<Impl>()) {
    SSL_CTX* const context = impl_->context.get();
    check(context != nullptr, "OpenSSL can be used");
    // No tickets and no cache: every connection proves the key again, and a removed key is invalid at once.
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    const bool ready = SSL_CTX_set_num_tickets(context, 0) == 1 &&
                       SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
                       SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1 &&
                       SSL_CTX_set_ciphersuites(context, cipher_name) == 1 &&
                       SSL_CTX_set1_groups_list(context, "X25519") == 1;
    check(ready, "OpenSSL has TLS 1.3 with ChaCha20-Poly1305 and X25519");
}

TlsContext::~TlsContext() = default;

TlsEngine::Impl::Impl(SSL_CTX* context)
    : ssl(SSL_new(context)), in(BIO_new(BIO_s_mem())), out(BIO_new(BIO_s_mem())) {
    check(ssl && in && out, "there is memory for a connection");
    BIO_set_mem_eof_return(in, -1);
    SSL_set_bio(ssl.get(), in, out);
    SSL_set_app_data(ssl.get(), this);
}

int TlsEngine::Impl::use_key(SSL* ssl, const EVP_MD*, const unsigned char** id, std::size_t* size,
                             SSL_SESSION** session) {
    Impl& self = of(ssl);
    *id = reinterpret_cast<const unsigned char*>(self.identity.data());
    *size = self.identity.size();
    *session = session_of(ssl, *self.own_key).release();
    return 1;
}

/// Without a key, the handshake cannot continue and fails.
int TlsEngine::Impl::find_key(SSL* ssl, const unsigned char* id, std::size_t size, SSL_SESSION** session) {
    Impl& self = of(ssl);
    *session = nullptr;
    self.key = link::key_id_from({reinterpret_cast<const char*>(id), size});
    if (!self.key) return 1;
    const auto found = self.keys(*self.key);
    if (found)
        *session = session_of(ssl, *found).release();
    else
        self.refusal = found.error();
    return 1;
}

TlsEngine::TlsEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TlsEngine::~TlsEngine() { ERR_clear_error(); }

std::unique_ptr<TlsEngine> TlsEngine::client(TlsContext& context, const SecretKey& key) {
    auto impl = std::make_unique<Impl>(context.impl_->context.get());
    impl->own_key = key;
    impl->key = link::id_of(key);
    impl->identity = to_string(*impl->key);
    SSL* const ssl = impl->ssl.get();
    SSL_set_psk_use_session_callback(ssl, Impl::use_key);
    SSL_set_verify(ssl, SSL_VERIFY_PEER, nullptr);  // certificates are not accepted as a proof
    SSL_set_connect_state(ssl);
    return std::unique_ptr<TlsEngine>(new TlsEngine(std::move(impl)));
}

std::unique_ptr<TlsEngine> TlsEngine::server(TlsContext& context, link::KeyLookup keys) {
    auto impl = std::make_unique<Impl>(context.impl_->context.get());
    impl->keys = std::move(keys);
    SSL* const ssl = impl->ssl.get();
    SSL_set_psk_find_session_callback(ssl, Impl::find_key);
    SSL_set_accept_state(ssl);
    return std::unique_ptr<TlsEngine>(new TlsEngine(std::move(impl)));
}

void TlsEngine::feed(ByteView received) {
    std::size_t written = 0;
    const int taken = BIO_write_ex(impl_->in, received.data(), received.size(), &written);
    check(received.empty() || (taken == 1 && written == received.size()), "a BIO in memory takes everything");
}

bool TlsEngine::holds_received() const {
    return BIO_ctrl_pending(impl_->in) > 0 || SSL_pending(impl_->ssl.get()) > 0;
}

ByteView TlsEngine::outgoing() const {
    char* data = nullptr;
    const long size = BIO_get_mem_data(impl_->out, &data);
    return std::as_bytes(std::span(data, static_cast<std::size_t>(std::max(size, 0L))));
}

void TlsEngine::sent(std::size_t size) {
    std::array<char, 4096> dropped;
    while (size > 0) {
        std::size_t got = 0;
        if (BIO_read_ex(impl_->out, dropped.data(), std::min(size, dropped.size()), &got) != 1) return;
        size -= got;
    }
}

Result<bool> TlsEngine::shake_hands() {
    if (impl_->stands) return true;
    ERR_clear_error();
    SSL* const ssl = impl_->ssl.get();
    const int outcome = SSL_do_handshake(ssl);
    if (outcome == 1) {
        if (SSL_session_reused(ssl) != 1) return fail(Code::refused, "it has proven no key");
        impl_->stands = true;
        return true;
    }
    if (SSL_get_error(ssl, outcome) == SSL_ERROR_WANT_READ) return false;
    if (impl_->refusal) return fail(*impl_->refusal);
    return fail(failure());
}

Result<std::size_t> TlsEngine::read(std::span<std::byte> into) {
    check(impl_->stands, "a connection is established before it is read");
    ERR_clear_error();
    std::size_t got = 0;
    SSL* const ssl = impl_->ssl.get();
    if (SSL_read_ex(ssl, into.data(), into.size(), &got) == 1) return got;
    switch (SSL_get_error(ssl, 0)) {
        case SSL_ERROR_WANT_READ: return 0;
        case SSL_ERROR_ZERO_RETURN: return fail(Code::closed, "it has ended the connection");
        default: return fail(Code::unreachable, "received data was altered on the way, or is not TLS");
    }
}

Result<void> TlsEngine::write(ByteView content) {
    check(impl_->stands && content.size() <= max_record,
          "a record is written after the connection is established");
    if (content.empty()) return {};
    ERR_clear_error();
    std::size_t written = 0;
    if (SSL_write_ex(impl_->ssl.get(), content.data(), content.size(), &written) != 1)
        return fail(Code::unreachable, "the connection is broken; connect again");
    check(written == content.size(), "a BIO in memory takes everything");
    return {};
}

void TlsEngine::end() {
    ERR_clear_error();
    if (impl_->stands) SSL_shutdown(impl_->ssl.get());
}

std::optional<KeyId> TlsEngine::key() const { return impl_->key; }

SecretKey TlsEngine::derive(std::string_view purpose) const {
    check(impl_->stands, "keys are derived from an established connection");
    constexpr std::string_view label = "EXPORTER-caribou";
    std::array<std::byte, SecretKey::size> bytes{};
    const int made = SSL_export_keying_material(
        impl_->ssl.get(), reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), label.data(),
        label.size(), reinterpret_cast<const unsigned char*>(purpose.data()), purpose.size(), 1);
    check(made == 1, "OpenSSL derives keys");
    SecretKey key(bytes);
    OPENSSL_cleanse(bytes.data(), bytes.size());
    return key;
}

}  // namespace caribou
