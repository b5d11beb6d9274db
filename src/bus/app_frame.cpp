#include "bus/app_frame.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "bus/client_comms.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

constexpr Duration status_period = 2s;
constexpr Duration longest_callback = 4s;  // a broker disconnects clients that are silent for longer
constexpr Duration finish_limit = 1s;
constexpr std::string_view request_variable = "APPCAST_REQ";
constexpr std::string_view load_request_variable = "LOADCAST_REQ";

}  // namespace

AppFrame::AppFrame(Loop& loop, Network& network, ProcessProbe& probe, Log& log, AppSettings settings)
    : AppFrame(loop, std::make_unique<ClientComms>(loop, network), probe, log, std::move(settings)) {}

AppFrame::AppFrame(Loop& loop, std::unique_ptr<AppComms> comms, ProcessProbe& probe, Log& log,
                   AppSettings settings)
    : loop_(loop), probe_(probe), log_(log), settings_(std::move(settings)), comms_(std::move(comms)) {
    end_ = loop_.make_timer([this] { end(); });
    if (settings_.client_name.empty()) settings_.client_name = settings_.name;
    declare(parameters_, settings_);
}

AppFrame::~AppFrame() = default;

Result<std::vector<std::string>> AppFrame::configure(const AppCommandLine& line, const Mission& mission) {
    auto warnings = bus::configure(settings_, parameters_, line, mission);
    if (warnings)
        for (const std::string& warning : *warnings) caster_.add_config_warning(warning);
    return warnings;
}

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
    if (auto prepared = comms_->prepare(std::move(options), *this); !prepared) return prepared;
    started_at_ = comms_->stamp();

    if (auto ready = app.on_start_up(); !ready) return ready;
    if (settings_.use_comms)
        if (auto connecting = comms_->start(); !connecting) return connecting;
    status_->arm(loop_.clock().now() + status_period);
    if (!settings_.use_comms || settings_.iterate_without_comms) start_pace();
    return {};
}

void AppFrame::on_connected() {
    reported_missing_broker_ = false;
    refusals_ = 0;
    log_.info(fmt::format("{} is connected to community {}", settings_.client_name, comms_->community()));
    if (settings_.catch_command_messages) {
        const std::string key = own_variable("_CMD");
        subscribed(key, comms_->register_variable(key));
    }
    if (report_text_)
        for (const std::string_view variable : {request_variable, load_request_variable})
            note(comms_->register_variable(variable));
    note(app_->on_connect_to_server());
    if (!pacing_) start_pace();
}

void AppFrame::on_disconnected(const Error& why) {
    if (ending_) return end();
    log_.warning(fmt::format("{} lost the connection to the broker: {}", settings_.client_name, why.message));
    pacing_ = settings_.iterate_without_comms;
}

void AppFrame::on_refused(std::string_view why) {
    // Logs the 1st, 2nd, 4th, 8th … refusal: the client tries again every second.
    if (std::has_single_bit(++refusals_))
        log_.warning(fmt::format("the broker refused {}: {} ({} refusals so far)", settings_.client_name, why,
                                 refusals_));
}

void AppFrame::on_mail_lost(std::uint64_t count) {
    note_error({Code::limit_exceeded, fmt::format("{} {} lost: the callbacks of the app are too slow", count,
                                                  count == 1 ? "message was" : "messages were")});
}

void AppFrame::start_pace() {
    pacing_ = true;
    schedule_.start(clock().now());
    wake_->arm(clock().now());
}

void AppFrame::turn() {
    if (!pacing_ || ending_) return;
    const auto calls = schedule_.begin(clock().now(), comms_->has_mail());
    const Instant began = loop_.clock().now();
    if (calls.mail) deliver_mail();
    if (calls.iterate && !ending_) call_iterate();
    report_long_callbacks(loop_.clock().now() - began);
    if (calls.mail || calls.iterate) schedule_.finished(clock().now());
    if (pacing_ && !ending_) wake_->arm(schedule_.next(comms_->has_mail()));
}

void AppFrame::report_long_callbacks(Duration took) {
    if (took < longest_callback || !comms_->shares_thread_with_app()) return;
    note_error({Code::timed_out,
                fmt::format("callbacks of the app took {:.1f} s, in which nothing was sent or received; a "
                            "broker disconnects clients that are silent for 5 s: do long work in a thread",
                            to_seconds(took))});
}

void AppFrame::deliver_mail() {
    auto mail = comms_->fetch();
    if (settings_.sort_mail_by_time) std::ranges::stable_sort(mail, {}, &wire::Message::time);
    if (settings_.catch_command_messages) take_commands(mail);
    if (report_text_) take_report_requests(mail);
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
    load_.begin(clock().now());
    const auto done = app_->iterate();
    ++iterations_;
    publish_load();
    if (done)
        app_status_.error = false;
    else
        note_error(done.error());
    publish_report();
    if (done || !settings_.quit_on_iterate_fail) return;
    failure_ = done.error();
    finish();
}

// The status report.

AppStatus AppFrame::status() {
    app_status_.name = settings_.client_name;
    app_status_.uptime = clock().now() - started_;
    app_status_.usage = probe_.measure();
    return app_status_;
}

void AppFrame::publish_status() {
    status_->arm(loop_.clock().now() + status_period);
    if (!comms_->connected()) return report_missing_broker();
    notify(own_variable("_STATUS"), std::string_view(to_string(status())));
    if (std::exchange(overruns_reported_, overruns()) != overruns())
        notify(own_variable("_OVERRUNS"), static_cast<double>(overruns()));
}

void AppFrame::report_missing_broker() {
    if (!settings_.use_comms || refusals_ > 0 || std::exchange(reported_missing_broker_, true)) return;
    log_.warning(fmt::format("no broker answers at {}:{}; {} tries again until one does",
                             settings_.server_host, settings_.server_port, settings_.client_name));
}

std::string AppFrame::own_variable(std::string_view suffix) const {
    std::string name = settings_.name;
    for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return name.append(suffix);
}

void AppFrame::note_published(std::string_view key) {
    if (app_status_.publishing.contains(key)) return;
    app_status_.publishing.emplace(key);
}

void AppFrame::subscribed(std::string_view what, const Result<void>& result) {
    if (!result) return note_error(result.error());
    app_status_.subscribing.emplace(what);
}

void AppFrame::unsubscribed(std::string_view what, const Result<void>& result) {
    if (!result) return note_error(result.error());
    if (const auto found = app_status_.subscribing.find(what); found != app_status_.subscribing.end())
        app_status_.subscribing.erase(found);
}

void AppFrame::note(const Result<void>& result) {
    if (!result) note_error(result.error());
}

/// Logs the 1st, 2nd, 4th, 8th … error, because a failing app usually fails at every iteration.
void AppFrame::note_error(const Error& error) {
    app_status_.error = true;
    caster_.add_run_warning(error.message);
    if (std::has_single_bit(++errors_))
        log_.error(errors_ == 1
                       ? fmt::format("{}: {}", settings_.name, error.message)
                       : fmt::format("{}: {} ({} errors so far)", settings_.name, error.message, errors_));
}

// Reports (APPCAST).

void AppFrame::appcast(std::move_only_function<std::string()> text) {
    check(text && !report_text_, "an app describes its reports once");
    report_text_ = std::move(text);
    parameters_.add("TERM_REPORT_INTERVAL", cast_settings_.interval, {0, 10},
                    "minimum seconds between two reports (APPCAST)");
    parameters_.add("MAX_APPCAST_EVENTS", cast_settings_.max_events, {0, 50}, "events in a report");
}

void AppFrame::add_event(std::string_view text) { caster_.add_event(text, clock().now() - started_); }

/// Returns the community in reports and requests: that of the mission file, as in the original.
const std::string& AppFrame::node() const {
    return settings_.community.empty() ? comms_->community() : settings_.community;
}

void AppFrame::take_report_requests(std::vector<wire::Message>& mail) {
    for (const wire::Message& message : mail) {
        if (message.key == request_variable)
            caster_.on_request(message.payload, settings_.client_name, node(), clock().now());
        if (message.key == load_request_variable)
            load_.on_request(message.payload, settings_.client_name, clock().now());
    }
    for (const std::string_view variable : {request_variable, load_request_variable})
        if (!app_status_.subscribing.contains(variable))
            std::erase_if(mail, [&](const wire::Message& message) { return message.key == variable; });
}

void AppFrame::publish_report() {
    const Instant now = loop_.clock().now();
    if (!report_text_ || ending_ || !comms_->connected() || !caster_.due(now, clock().now())) return;
    AppCast cast = caster_.take(now);
    cast.proc = settings_.client_name;
    cast.node = node();
    cast.iteration = iterations_;
    for (const auto line : std::views::split(report_text_(), '\n'))
        cast.messages.emplace_back(line.begin(), line.end());
    if (!cast.messages.empty() && cast.messages.back().empty()) cast.messages.pop_back();
    notify("APPCAST", std::string_view(to_string(cast)));
}

void AppFrame::publish_load() {
    if (!report_text_ || ending_ || !comms_->connected()) return;
    const auto load = load_.end(clock().now(), settings_.app_tick);
    if (!load) return;
    notify(own_variable("_ITER_GAP"), load->gap);
    notify(own_variable("_ITER_LEN"), load->length);
}

// Shutdown.

void AppFrame::finish() {
    if (std::exchange(ending_, true)) return;
    if (app_ && comms_->connected()) return comms_->finish(finish_limit);
    end_->arm(loop_.clock().now());
}

void AppFrame::end() {
    pacing_ = false;
    if (wake_) wake_->cancel();
    if (status_) status_->cancel();
    if (app_) comms_->stop();
    if (auto handler = std::exchange(ended_, {})) handler(failure_);
}

}  // namespace caribou::bus
