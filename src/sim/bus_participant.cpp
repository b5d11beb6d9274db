#include "sim/bus_participant.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::sim {

BusParticipant::BusParticipant(Setting& setting, std::string name)
    : setting_(setting),
      name_(std::move(name)),
      host_(setting.network.on_host(name_)),
      network_(*host_),
      wishes_(setting.keys) {}

void BusParticipant::forget() {
    client_.reset();
    wishes_ = Wishes(setting_.keys);
    heard_.clear();
}

void BusParticipant::come(bus::ClientOptions options) {
    options.name = name_;
    client_ = std::make_unique<bus::Client>(setting_.loop, network_, std::move(options));
    client_->on_other_mail([this](const wire::MessageView& message) { on_mail(message); });
    check(client_->start().has_value(), "a participant's client starts");
}

void BusParticipant::go(Duration limit) { client_->finish(limit); }

void BusParticipant::crash() {
    setting_.network.crash(name_);
    forget();
}

void BusParticipant::sweep() {
    if (client_ && client_->state() == bus::ClientState::stopped) forget();
}

bool BusParticipant::register_variable(std::string_view key, Duration interval) {
    if (!client_->register_variable(key, interval)) return false;
    wishes_.on_register(key);
    return true;
}

bool BusParticipant::unregister_variable(std::string_view key) {
    if (!client_->unregister_variable(key)) return false;
    wishes_.on_unregister(key);
    return true;
}

bool BusParticipant::register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                       Duration interval) {
    if (!client_->register_wildcard(var_pattern, app_pattern, interval)) return false;
    wishes_.on_wildcard(app_pattern, var_pattern);
    return true;
}

bool BusParticipant::unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) {
    if (!client_->unregister_wildcard(var_pattern, app_pattern)) return false;
    wishes_.on_wildcard_end(app_pattern, var_pattern);
    return true;
}

std::optional<std::uint64_t> BusParticipant::heard(std::string_view key) const {
    const auto found = heard_.find(key);
    if (found == heard_.end()) return std::nullopt;
    return found->second;
}

void BusParticipant::check_outbox() {
    if (!client_) return;
    const bus::QueueLimit& limit = client_->options().outbox;
    if (client_->pending() > limit.messages || client_->pending_bytes() > limit.bytes)
        setting_.audit.note(fmt::format("{} messages and {} bytes wait in {}; at most {} and {} may",
                                        client_->pending(), client_->pending_bytes(), name_, limit.messages,
                                        limit.bytes));
}

void BusParticipant::on_mail(const wire::MessageView& message) {
    if (!wishes_.has_wanted(message.key))
        setting_.audit.note(fmt::format("{} hears of {}, which it never asked for", name_, message.key));
    if (message.key.starts_with("DB_")) return;  // of the broker
    const auto number = BusAudit::number_in(message.aux);
    const auto place = number ? setting_.audit.place_of(*number) : std::nullopt;
    if (!place)
        return setting_.audit.note(fmt::format("{} hears value `{}` of {}, which was never written", name_,
                                               message.aux, message.key));
    if (const auto before = heard(message.key); before && *place < *setting_.audit.place_of(*before))
        setting_.audit.note(fmt::format("{} hears value #{} of {} after the newer #{}", name_, *number,
                                        message.key, *before));
    heard_.insert_or_assign(std::string(message.key), *number);
}

}  // namespace caribou::sim
