#include "bus/app_frame.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

constexpr Duration status_period = 2s;
constexpr Duration finish_limit = 1s;

}  // namespace

AppFrame::AppFrame(Loop& loop, Network& network, ProcessProbe& probe, Log& log, AppSettings settings)
    : loop_(loop), network_(network), probe_(probe), log_(log), settings_(std::move(settings)) {
    end_ = loop_.make_timer([this] { end(); });
    if (settings_.client_name.empty()) settings_.client_name = settings_.name;
    declare(parameters_, settings_);
}

AppFrame::~AppFrame() = default;

Result<void> AppFrame::start(App& app, ClientOptions options) {
    check(app_ == nullptr, "an app is started once");
    app_ = &app;
    auto warp = Warp::make(settings_.time_warp);
    if (!warp) return fail(std::move(warp.error()));
    if (warp->factor != 1) warped_.emplace(loop_, *warp);
    wake_ = pace_loop().make_timer([this] { turn(); });
    status_ = loop_.make_timer([this] { publish_status(); });
    schedule_ = IterateSchedule(settings_.pace());
    started_ = clock().now();

    options.name = settings_.client_name;
    options.broker = Address::ip(settings_.server_host, static_cast<std::uint16_t>(settings_.server_port));
    options.comms_tick = settings_.comms_tick;
    if (warped_) options.stamps = &warped_->clock();
    client_ = std::make_unique<Client>(loop_, network_, std::move(options));
    client_->on_queued([this] { turn(); });
    client_->on_connected([this] { on_connected(); });
    client_->on_disconnected([this](const Error& why) {
        if (ending_) return end();
        log_.warning(
            fmt::format("{} lost the connection to the broker: {}", settings_.client_name, why.message));
        pacing_ = settings_.iterate_without_comms;
    });
    client_->on_refused([this](std::string_view why) {
        log_.warning(fmt::format("the broker refused {}: {}", settings_.client_name, why));
    });
    client_->on_mail_lost([this](std::string_view key) {
        note_error({Code::limit_exceeded, fmt::format("mail of {} was lost: iterate is too slow", key)});
    });

    if (auto ready = app.on_start_up(); !ready) return ready;
    if (settings_.use_comms)
        if (auto connecting = client_->start(); !connecting) return connecting;
    status_->arm(loop_.clock().now() + status_period);
    if (!settings_.use_comms || settings_.iterate_without_comms) start_pace();
    return {};
}

void AppFrame::on_connected() {
    log_.info(fmt::format("{} is connected to community {}", settings_.client_name, client_->community()));
    if (settings_.catch_command_messages) {
        const std::string key = own_variable("_CMD");
        subscribed(key, client_->register_variable(key));
    }
    note(app_->on_connect_to_server());
    if (!pacing_) start_pace();
}

void AppFrame::start_pace() {
    pacing_ = true;
    schedule_.start(clock().now());
    wake_->arm(clock().now());
}

void AppFrame::turn() {
    if (!pacing_ || ending_) return;
    MailQueue& queue = client_->general_queue();
    const auto calls = schedule_.begin(clock().now(), !queue.empty());
    if (calls.mail) deliver_mail();
    if (calls.iterate && !ending_) call_iterate();
    if (calls.mail || calls.iterate) schedule_.finished(clock().now());
    if (pacing_ && !ending_) wake_->arm(schedule_.next(!queue.empty()));
}

void AppFrame::deliver_mail() {
    auto mail = client_->fetch();
    if (settings_.sort_mail_by_time) std::ranges::stable_sort(mail, {}, &wire::Message::time);
    if (settings_.catch_command_messages) take_commands(mail);
    if (!mail.empty() && !ending_) note(app_->on_new_mail(mail));
}

void AppFrame::take_commands(std::vector<wire::Message>& mail) {
    const std::string key = own_variable("_CMD");
    for (const wire::Message& message : mail)
        if (message.key == key) app_->on_command_message(message);
    if (settings_.filter_command_messages)
        std::erase_if(mail, [&](const wire::Message& message) { return message.key == key; });
}

void AppFrame::call_iterate() {
    const auto done = app_->iterate();
    if (done) {
        telling_.error = false;
        return;
    }
    note_error(done.error());
    if (!settings_.quit_on_iterate_fail) return;
    failure_ = done.error();
    finish();
}

// The status report.

AppStatus AppFrame::status() {
    telling_.name = settings_.client_name;
    telling_.uptime = clock().now() - started_;
    telling_.usage = probe_.measure();
    return telling_;
}

void AppFrame::publish_status() {
    status_->arm(loop_.clock().now() + status_period);
    if (!client_->connected()) return;
    notify(own_variable("_STATUS"), std::string_view(to_string(status())));
    if (std::exchange(overruns_told_, overruns()) != overruns())
        notify(own_variable("_OVERRUNS"), static_cast<double>(overruns()));
}

std::string AppFrame::own_variable(std::string_view suffix) const {
    std::string name = settings_.name;
    for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return name.append(suffix);
}

void AppFrame::note_published(std::string_view key) {
    if (telling_.publishing.contains(key)) return;
    telling_.publishing.emplace(key);
}

void AppFrame::subscribed(std::string_view what, const Result<void>& result) {
    if (!result) return note_error(result.error());
    telling_.subscribing.emplace(what);
}

void AppFrame::unsubscribed(std::string_view what, const Result<void>& result) {
    if (!result) return note_error(result.error());
    if (const auto found = telling_.subscribing.find(what); found != telling_.subscribing.end())
        telling_.subscribing.erase(found);
}

void AppFrame::note(const Result<void>& result) {
    if (!result) note_error(result.error());
}

/// Logs the 1st, 2nd, 4th, 8th … error, because a failing app usually fails at every iteration.
void AppFrame::note_error(const Error& error) {
    telling_.error = true;
    if (std::has_single_bit(++errors_))
        log_.error(errors_ == 1
                       ? fmt::format("{}: {}", settings_.name, error.message)
                       : fmt::format("{}: {} ({} errors so far)", settings_.name, error.message, errors_));
}

// Shutdown.

void AppFrame::finish() {
    if (std::exchange(ending_, true)) return;
    if (client_ && client_->connected()) return client_->finish(finish_limit);
    end_->arm(loop_.clock().now());
}

void AppFrame::end() {
    pacing_ = false;
    if (wake_) wake_->cancel();
    if (status_) status_->cancel();
    if (client_) client_->stop();
    if (auto tell = std::exchange(ended_, {})) tell(failure_);
}

}  // namespace caribou::bus
