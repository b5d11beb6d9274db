// Reports of the broker about itself: the DB_ variables and the answers to server requests.

#include <algorithm>
#include <ranges>

#include "base/number_text.hpp"
#include "bus/broker.hpp"
#include "bus/server_requests.hpp"
#include "bus/summaries.hpp"

namespace caribou::bus {

using wire::DataType;
using wire::MessageType;
using wire::MessageView;

namespace {

/// With more variables than this, a summary is expensive, and is updated only while a client subscribes to
/// it.
constexpr std::size_t max_variables_summarized_unasked = 2000;

}  // namespace

std::vector<const Connection*> Broker::clients() const {
    std::vector<const Connection*> all;
    all.reserve(by_name_.size());
    for (const auto& [name, c] : by_name_) all.push_back(c);
    std::ranges::sort(all, std::greater<>{}, &Connection::id);
    return all;
}

Traffic Broker::traffic() const {
    Traffic sum = departed_;
    for (const auto& [id, c] : connections_) sum += c->traffic;
    return sum;
}

Result<void> Broker::poke(std::string_view source, MessageView value, const Moment& at) {
    value.type = MessageType::notify;
    value.source = source;
    value.community = options_.community;
    value.time = at.stamp;
    return exchange_.publish(value, at);
}

void Broker::publish(std::string_view name, MessageView value, const Moment& at) {
    value.type = MessageType::notify;
    value.source = name_;
    value.community = options_.community;
    value.key = name;
    value.time = at.stamp;
    if (auto done = exchange_.publish(value, at); !done) log_.warning(done.error().message);
}

void Broker::publish(std::string_view name, double value, const Moment& at) {
    publish(name, MessageView{.value = value}, at);
}

void Broker::publish(std::string_view name, std::string_view value, const Moment& at) {
    publish(name, MessageView{.data_type = DataType::string, .payload = value}, at);
    if (event_handler_ && (name == "DB_EVENT" || name == "DB_NOTICE")) event_handler_(value, at.stamp);
}

void Broker::publish_housekeeping(const Moment& at) {
    const auto all = clients();
    publish("DB_TIME", at.stamp, at);
    publish("DB_UPTIME", at.stamp - started_, at);
    publish("DB_CLIENTS", client_names(all), at);
    publish("DB_QOS", latencies(all), at);
    if (is_summary_wanted("DB_VARSUMMARY")) publish("DB_VARSUMMARY", variable_table(exchange_.sorted()), at);
    if (is_summary_wanted("DB_RWSUMMARY")) publish("DB_RWSUMMARY", reads_and_writes(all), at);
}

bool Broker::is_summary_wanted(std::string_view name) const {
    const Variable* const summary = exchange_.find(name);
    return exchange_.size() <= max_variables_summarized_unasked || !summary->subscriptions.empty();
}

void Broker::on_request(Connection& c, std::string_view what, const Moment& at) {
    if (c.requests.size() >= options_.limits.max_requests_waiting)
        return close(c, limit_reached("max_requests_waiting", c.requests.size() + 1,
                                      options_.limits.max_requests_waiting, "requests"));
    if (!c.request_answered && c.requests.empty()) asking_.push_back(&c);
    if (c.request_answered || !c.requests.empty() || !may_answer(c)) {
        c.requests.emplace_back(what);
    } else {
        c.request_answered = true;
        answer(c, what, at);
    }
}

bool Broker::may_answer(const Connection& c) const {
    return c.outbox.backlog() <= options_.limits.request_backlog;
}

void Broker::answer(Connection& c, std::string_view what, const Moment& at) {
    const auto reply = [&](std::string_view key, std::string_view text, double time) {
        c.tell({.id = wire::server_request_id,
                .type = MessageType::notify,
                .data_type = DataType::string,
                .source = name_,
                .key = key,
                .time = time,
                .payload = text});
    };
    const auto tell = [&](const Variable& variable, double time) {
        MessageView told{.key = variable.name};
        if (variable.is_written()) told = variable.value();
        told.id = wire::server_request_id;
        told.type = MessageType::notify;
        told.data_type = variable.type;
        told.time = time;
        told.value2 = variable.rate.hertz();
        c.tell(told);
    };
    if (what == "ALL") {
        // Values older than the broker are reported as written at its start: a negative time means never
        // written.
        for (const Variable* variable : exchange_.sorted() | std::views::reverse)
            tell(*variable, variable->is_written() ? std::max(variable->written - started_, 0.0) : -1);
    } else if (what.starts_with(all_since)) {
        const double uptime = at.stamp - started_;
        c.tell({.id = wire::server_request_id,
                .type = MessageType::notify,
                .source = name_,
                .key = all_since,
                .time = uptime,
                .value = uptime});
        const double since = number_in(what.substr(all_since.size())).value_or(0);
        exchange_.for_each([&](const Variable& variable) {
            const double written = variable.written - started_;
            if (variable.is_written() && (written >= since || since <= 0)) tell(variable, written);
        });
    } else if (what.contains("VAR_SUMMARY")) {
        reply("VAR_SUMMARY", variable_names(exchange_.sorted()), at.stamp);
    } else if (what.contains("PROC_SUMMARY")) {
        for (const Connection* client : clients())
            reply("PROC_SUMMARY", process_summary(*client), at.stamp - started_);
    } else if (what.contains("CLIENT_SUMMARY")) {
        for (const Connection* client : clients()) reply("CLIENT_SUMMARY", client_summary(*client), at.stamp);
    } else if (what.contains("DB_CLEAR")) {
        log_.info("client " + c.client_name + " has cleared all variables");
        exchange_.clear();
        for (auto& [id, other] : connections_)
            if (other->stage == Connection::Stage::open) other->drop_waiting();
        started_ = at.stamp;
    }
}

}  // namespace caribou::bus
