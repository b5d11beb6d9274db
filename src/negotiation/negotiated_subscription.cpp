#include "negotiation/negotiated_subscription.hpp"

#include <fmt/format.h>

#include "negotiation/subscription_core.hpp"

namespace caribou::negotiation {

std::string_view to_string(SubscriptionState state) {
    switch (state) {
        case SubscriptionState::idle: return "idle";
        case SubscriptionState::waiting: return "waiting";
        case SubscriptionState::unsatisfied: return "unsatisfied";
        case SubscriptionState::connected: return "connected";
    }
    return "?";
}

NegotiatedSubscription::NegotiatedSubscription(Loop& loop, Transport& transport, std::string topic_name,
                                               SubscriptionOptions options)
    : core_(std::make_unique<SubscriptionCore>(loop, transport, std::move(topic_name), std::move(options))) {}
NegotiatedSubscription::~NegotiatedSubscription() = default;

Result<void> NegotiatedSubscription::add(TypeKey key, double weight, const TopicQos& qos, Deliver deliver,
                                         TypeOptions options) {
    return core_->add(std::move(key), weight, qos, {std::move(deliver), std::move(options)}, std::nullopt);
}

Result<void> NegotiatedSubscription::remove(const TypeKey& key) { return core_->remove(key, std::nullopt); }

Result<void> NegotiatedSubscription::set_weight(const TypeKey& key, double weight) {
    return core_->set_weight(key, weight);
}

Result<void> NegotiatedSubscription::add_compatible_subscription(const Topic& topic, std::string name,
                                                                 double weight) {
    return core_->add({topic.type, std::move(name)}, weight, {}, {}, topic);
}

Result<void> NegotiatedSubscription::remove_compatible_subscription(const Topic& topic,
                                                                    const std::string& name) {
    return core_->remove({topic.type, name}, topic);
}

Result<void> NegotiatedSubscription::start() { return core_->start(); }

SubscriptionState NegotiatedSubscription::state() const { return core_->state; }
SupportedTypes NegotiatedSubscription::supported_types() const { return core_->supported_types(); }
const NegotiatedTopicInfo& NegotiatedSubscription::connection() const { return core_->connection; }
const SubscriptionCount& NegotiatedSubscription::count() const { return core_->count; }
const std::string& NegotiatedSubscription::topic_name() const { return core_->base; }

std::size_t NegotiatedSubscription::add_after_subscription_callback(AfterSubscription callback) {
    core_->after_subscription.emplace(core_->next_after, std::move(callback));
    return core_->next_after++;
}

Result<void> NegotiatedSubscription::remove_after_subscription_callback(std::size_t number) {
    if (core_->after_subscription.erase(number) == 0)
        return fail(Code::not_found,
                    fmt::format("{}: there is no after-subscription callback {}", core_->base, number));
    return {};
}

}  // namespace caribou::negotiation
