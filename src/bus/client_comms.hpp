#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bus/app_comms.hpp"
#include "bus/client.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"

namespace caribou::bus {

/// The connection of an app as a client on the app's own loop, for tests in virtual time.
class ClientComms final : public AppComms {
public:
    /// Both arguments must outlive this object.
    ClientComms(Loop& loop, Network& network) : loop_(loop), network_(network) {}

    Result<void> prepare(ClientOptions options, Events& events) override;
    Result<void> start() override { return client_->start(); }

    Result<Pushed> notify(std::string_view key, double value, const NotifyOptions& with) override {
        return client_->notify(key, value, with);
    }
    Result<Pushed> notify(std::string_view key, std::string_view value, const NotifyOptions& with) override {
        return client_->notify(key, value, with);
    }
    Result<Pushed> notify(std::string_view key, ByteView value, const NotifyOptions& with) override {
        return client_->notify(key, value, with);
    }
    Result<void> register_variable(std::string_view key, Duration interval) override {
        return client_->register_variable(key, interval);
    }
    Result<void> unregister_variable(std::string_view key) override {
        return client_->unregister_variable(key);
    }
    Result<void> register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                   Duration interval) override {
        return client_->register_wildcard(var_pattern, app_pattern, interval);
    }
    Result<void> unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) override {
        return client_->unregister_wildcard(var_pattern, app_pattern);
    }

    std::vector<wire::Message> fetch() override { return client_->fetch(); }
    bool has_mail() const override { return !client_->general_queue().empty(); }
    bool connected() const override { return client_->connected(); }
    const std::string& community() const override { return client_->community(); }
    double stamp() const override { return client_->stamp(); }
    bool shares_thread_with_app() const override { return true; }
    void finish(Duration limit) override { client_->finish(limit); }
    void stop() override { client_->stop(); }

private:
    Loop& loop_;
    Network& network_;
    std::unique_ptr<Client> client_;
};

}  // namespace caribou::bus
