#include "kit/bus/threaded_comms.hpp"

#include <atomic>
#include <utility>

namespace caribou {
namespace {

std::unexpected<Error> has_ended() { return fail(Code::wrong_state, "the connection of the app has ended"); }

}  // namespace

/// Passes events from the client's thread to the app's loop.
struct ThreadedComms::Inlet {
    explicit Inlet(ThreadedComms& to) : comms(&to) {}

    /// Runs `task` with the comms on the app's thread, unless the comms have stopped by then.
    template <class Work>
    static void pass(const std::shared_ptr<Inlet>& inlet, EventLoop& loop, Work work) {
        loop.post_from_any_thread([inlet, work = std::move(work)] {
            if (inlet->comms) work(*inlet->comms);
        });
    }

    ThreadedComms* comms;                   ///< used on the app's thread only
    std::atomic<bool> mail_posted = false;  ///< one event for all mail that arrives before it is handled
};

ThreadedComms::ThreadedComms(EventLoop& loop, Log& log)
    : loop_(loop), log_(log), inlet_(std::make_shared<Inlet>(*this)) {}

ThreadedComms::~ThreadedComms() { stop(); }

Result<void> ThreadedComms::prepare(bus::ClientOptions options, Events& events) {
    events_ = &events;
    auto client = ThreadedClient::start({.client = std::move(options),
                                         .when_full = WhenOutboxFull::refuse,
                                         .linger = Duration::zero(),
                                         .connect_at_start = false},
                                        log_);
    if (!client) return fail(std::move(client.error()));
    client_ = std::move(*client);
    EventLoop& loop = loop_;
    const auto inlet = inlet_;
    client_->on_queued([inlet, &loop] {
        if (inlet->mail_posted.exchange(true)) return;
        Inlet::pass(inlet, loop, [](ThreadedComms& comms) {
            comms.inlet_->mail_posted = false;
            comms.events_->on_mail();
        });
    });
    client_->on_connected([inlet, &loop, client = client_.get()] {
        const std::string community =
            client->with_client([](const bus::Client& inner) { return inner.community(); });
        Inlet::pass(inlet, loop, [community](ThreadedComms& comms) {
            comms.community_ = community;
            comms.events_->on_connected();
        });
    });
    client_->on_disconnected([inlet, &loop](const Error& why) {
        Inlet::pass(inlet, loop, [why](ThreadedComms& comms) { comms.events_->on_disconnected(why); });
    });
    client_->on_refused([inlet, &loop](std::string_view why) {
        Inlet::pass(inlet, loop,
                    [why = std::string(why)](ThreadedComms& comms) { comms.events_->on_refused(why); });
    });
    return {};
}

Result<void> ThreadedComms::start() {
    return client_->with_client([](bus::Client& client) { return client.start(); });
}

Result<Pushed> ThreadedComms::notify(std::string_view key, double value, const bus::NotifyOptions& with) {
    if (!client_) return has_ended();
    return client_->notify(key, value, with);
}

Result<Pushed> ThreadedComms::notify(std::string_view key, std::string_view value,
                                     const bus::NotifyOptions& with) {
    if (!client_) return has_ended();
    return client_->notify(key, value, with);
}

Result<Pushed> ThreadedComms::notify(std::string_view key, ByteView value, const bus::NotifyOptions& with) {
    if (!client_) return has_ended();
    return client_->notify(key, value, with);
}

Result<void> ThreadedComms::register_variable(std::string_view key, Duration interval) {
    if (!client_) return has_ended();
    return client_->register_variable(key, interval);
}

Result<void> ThreadedComms::unregister_variable(std::string_view key) {
    if (!client_) return has_ended();
    return client_->unregister_variable(key);
}

Result<void> ThreadedComms::register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                              Duration interval) {
    if (!client_) return has_ended();
    return client_->register_wildcard(var_pattern, app_pattern, interval);
}

Result<void> ThreadedComms::unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) {
    if (!client_) return has_ended();
    return client_->unregister_wildcard(var_pattern, app_pattern);
}

std::vector<wire::Message> ThreadedComms::fetch() {
    if (!client_) return {};
    auto mail = client_->fetch();
    const std::uint64_t lost = client_->mail_lost();
    if (const std::uint64_t more = lost - std::exchange(lost_reported_, lost); more > 0)
        events_->on_mail_lost(more);
    return mail;
}

void ThreadedComms::finish(Duration limit) {
    Inlet::pass(inlet_, loop_, [limit](ThreadedComms& comms) {
        comms.client_->wait_until_sent(limit);
        comms.stop();
        comms.events_->on_disconnected({Code::closed, "stopped by this program"});
    });
}

void ThreadedComms::stop() {
    inlet_->comms = nullptr;
    if (!client_) return;
    last_stamp_ = client_->stamp();
    client_.reset();
}

}  // namespace caribou
