#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/client.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// The connection of an app to its broker. In a program of run_app it has a thread of its own, so that mail
/// arrives, values are sent and the broker receives heartbeats while a callback is running; in a test it is a
/// client on the loop of the app. All calls must be made, and all events occur, on the thread of the app.
class AppComms {
public:
    class Events {
    public:
        virtual void on_connected() = 0;
        /// The connection was lost, or has ended after finish().
        virtual void on_disconnected(const Error& why) = 0;
        virtual void on_refused(std::string_view why) = 0;
        /// There is mail to fetch.
        virtual void on_mail() = 0;
        /// `count` messages were lost because the app did not fetch its mail in time.
        virtual void on_mail_lost(std::uint64_t count) = 0;

    protected:
        ~Events() = default;
    };

    virtual ~AppComms() = default;
    /// Must be called once, before all other methods. `events` must outlive this object. From now on
    /// registrations and values are accepted, and wait for the connection.
    virtual Result<void> prepare(ClientOptions options, Events& events) = 0;
    /// Starts to connect. Fails like Client::start().
    virtual Result<void> start() = 0;

    // Like those of Client.
    virtual Result<Pushed> notify(std::string_view key, double value, const NotifyOptions& with = {}) = 0;
    virtual Result<Pushed> notify(std::string_view key, std::string_view value,
                                  const NotifyOptions& with = {}) = 0;
    virtual Result<Pushed> notify(std::string_view key, ByteView value, const NotifyOptions& with = {}) = 0;
    virtual Result<void> register_variable(std::string_view key, Duration interval = Duration::zero()) = 0;
    virtual Result<void> unregister_variable(std::string_view key) = 0;
    virtual Result<void> register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                           Duration interval = Duration::zero()) = 0;
    virtual Result<void> unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) = 0;

    /// Returns and removes all mail, in order of arrival.
    virtual std::vector<wire::Message> fetch() = 0;
    virtual bool has_mail() const = 0;

    virtual bool connected() const = 0;
    /// Returns the community of the last connection; empty before the first one.
    virtual const std::string& community() const = 0;
    /// Returns the time stamp of a message written now: UNIX seconds.
    virtual double stamp() const = 0;
    /// Returns whether a callback that takes long keeps the connection from sending and receiving.
    virtual bool shares_thread_with_app() const = 0;

    /// Ends the connection when everything that was notified has been passed to the network, or after
    /// `limit`; on_disconnected follows. Must only be called while connected.
    virtual void finish(Duration limit) = 0;
    /// Ends the connection at once. May be called several times.
    virtual void stop() = 0;
};

}  // namespace caribou::bus
