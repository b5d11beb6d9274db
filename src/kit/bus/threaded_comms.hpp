#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "bus/app_comms.hpp"
#include "kit/bus/threaded_client.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// The connection of an app on a thread of its own. Events are passed to the app's loop in the order in which
/// they occurred, and wait there while a callback is running.
class ThreadedComms final : public bus::AppComms {
public:
    /// `loop` is the app's. Both arguments must outlive this object.
    ThreadedComms(EventLoop& loop, Log& log);
    ~ThreadedComms() override;

    Result<void> prepare(bus::ClientOptions options, Events& events) override;
    Result<void> start() override;

    Result<Pushed> notify(std::string_view key, double value, const bus::NotifyOptions& with) override;
    Result<Pushed> notify(std::string_view key, std::string_view value,
                          const bus::NotifyOptions& with) override;
    Result<Pushed> notify(std::string_view key, ByteView value, const bus::NotifyOptions& with) override;
    Result<void> register_variable(std::string_view key, Duration interval) override;
    Result<void> unregister_variable(std::string_view key) override;
    Result<void> register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                   Duration interval) override;
    Result<void> unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) override;

    std::vector<wire::Message> fetch() override;
    bool has_mail() const override { return client_ && client_->unread() > 0; }
    bool connected() const override { return client_ && client_->connected(); }
    const std::string& community() const override { return community_; }
    double stamp() const override { return client_ ? client_->stamp() : last_stamp_; }
    bool shares_thread_with_app() const override { return false; }
    void finish(Duration limit) override;
    void stop() override;

private:
    struct Inlet;

    EventLoop& loop_;
    Log& log_;
    Events* events_ = nullptr;
    std::shared_ptr<Inlet> inlet_;  ///< empty after stop(): events that are still posted have no effect
    std::unique_ptr<ThreadedClient> client_;  ///< null after stop()
    std::string community_;
    std::uint64_t lost_reported_ = 0;
    double last_stamp_ = 0;  ///< when the connection was stopped
};

}  // namespace caribou
