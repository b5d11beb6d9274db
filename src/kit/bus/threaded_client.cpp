#include "kit/bus/threaded_client.hpp"

#include <future>
#include <system_error>

#include <fmt/format.h>

#include "kit/bus/threaded_client_core.hpp"

namespace caribou {

Result<std::unique_ptr<ThreadedClient>> ThreadedClient::start(ThreadedClientOptions options, Log& log) {
    try {
        auto core = std::make_unique<ThreadedClientCore>(std::move(options), log);
        if (auto started = core->start(); !started) return fail(std::move(started.error()));
        return std::unique_ptr<ThreadedClient>(new ThreadedClient(std::move(core)));
    } catch (const std::system_error& error) {
        return fail(Code::unavailable, fmt::format("no thread or descriptor for a client: {}", error.what()));
    }
}

ThreadedClient::ThreadedClient(std::unique_ptr<ThreadedClientCore> core) : core_(std::move(core)) {}
ThreadedClient::~ThreadedClient() = default;

void ThreadedClient::run_and_wait(Task task) { core_->run_and_wait(std::move(task)); }
bus::Client& ThreadedClient::client() { return core_->client(); }

Result<Pushed> ThreadedClient::notify(std::string_view key, double value, const bus::NotifyOptions& with) {
    return core_->notify({.data_type = wire::DataType::number, .key = key, .value = value}, with);
}

Result<Pushed> ThreadedClient::notify(std::string_view key, std::string_view value,
                                      const bus::NotifyOptions& with) {
    return core_->notify({.data_type = wire::DataType::string, .key = key, .payload = value}, with);
}

Result<Pushed> ThreadedClient::notify(std::string_view key, ByteView value, const bus::NotifyOptions& with) {
    return core_->notify({.data_type = wire::DataType::binary, .key = key, .payload = text_of(value)}, with);
}

std::vector<wire::Message> ThreadedClient::fetch() { return core_->fetch(); }
bool ThreadedClient::wait_for_mail(Duration limit) { return core_->wait_for_mail(limit); }
bool ThreadedClient::wait_until_connected(Duration limit) { return core_->wait_until_connected(limit); }
bool ThreadedClient::wait_until_sent(Duration limit) { return core_->wait_until_sent(limit); }
bool ThreadedClient::connected() const { return core_->connected(); }
std::size_t ThreadedClient::unread() const { return core_->unread(); }
std::size_t ThreadedClient::pending() const { return core_->pending(); }
std::uint64_t ThreadedClient::mail_lost() const { return core_->mail_lost(); }
double ThreadedClient::stamp() const { return core_->stamp(); }

bus::ClientStats ThreadedClient::stats() {
    bus::ClientStats stats = with_client([](bus::Client& client) { return client.stats(); });
    core_->add_to(stats);
    return stats;
}

Result<void> ThreadedClient::register_variable(std::string_view key, Duration interval) {
    return with_client([&](bus::Client& client) { return client.register_variable(key, interval); });
}

Result<void> ThreadedClient::unregister_variable(std::string_view key) {
    return with_client([&](bus::Client& client) { return client.unregister_variable(key); });
}

Result<void> ThreadedClient::register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                               Duration interval) {
    return with_client(
        [&](bus::Client& client) { return client.register_wildcard(var_pattern, app_pattern, interval); });
}

Result<void> ThreadedClient::unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) {
    return with_client(
        [&](bus::Client& client) { return client.unregister_wildcard(var_pattern, app_pattern); });
}

Result<std::vector<wire::Message>> ThreadedClient::server_request(std::string_view what, Duration limit) {
    if (core_->on_own_thread())
        return fail(Code::wrong_state, "a callback cannot wait for an answer: use with_client and a handler");
    std::promise<Result<std::vector<wire::Message>>> promise;
    auto answer = promise.get_future();
    const auto asked = with_client([&](bus::Client& client) {
        auto keep = [promise = std::move(promise)](Result<std::vector<wire::Message>> got) mutable {
            promise.set_value(std::move(got));
        };
        return client.server_request(what, std::move(keep), limit);
    });
    if (!asked) return fail(asked.error());
    return answer.get();
}

void ThreadedClient::on_mail(std::string_view key, bus::MailHandler handler) {
    with_client([&](bus::Client& client) { client.on_mail(key, std::move(handler)); });
}

void ThreadedClient::on_connected(std::move_only_function<void()> handler) {
    run_and_wait([&] { core_->connected_handler().set(std::move(handler)); });
}

void ThreadedClient::on_disconnected(std::move_only_function<void(const Error&)> handler) {
    run_and_wait([&] { core_->disconnected_handler().set(std::move(handler)); });
}

void ThreadedClient::on_queued(std::move_only_function<void()> handler) {
    run_and_wait([&] { core_->queued_handler().set(std::move(handler)); });
}

void ThreadedClient::on_refused(std::move_only_function<void(std::string_view)> handler) {
    with_client([&](bus::Client& client) { client.on_refused(std::move(handler)); });
}

}  // namespace caribou
