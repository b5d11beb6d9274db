#pragma once

// Shared by the negotiation test suites: supported types, and a publisher and subscriptions that record
// everything.

#include <list>
#include <string>
#include <vector>

#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "negotiation/report.hpp"
#include "negotiation/transport_rig.hpp"

namespace caribou::negotiation {

struct A {
    using MsgT = String;
    static const inline std::string supported_type_name = "a";
};
struct B {
    using MsgT = String;
    static const inline std::string supported_type_name = "b";
};
struct C {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "c";
};

/// For data of which nothing may be lost while the machine is busy.
inline constexpr TopicQos many{.depth = 1000};

/// A weight for each of the three types; nullopt if the type is not supported.
struct Likes {
    std::optional<double> a{};
    std::optional<double> b{};
    std::optional<double> c{};
};

/// A subscription that records what it receives, with the name of the type: `a:text`.
class Listener {
public:
    Listener(Loop& loop, Transport& transport, const Likes& likes, SubscriptionOptions options = {},
             std::string base = "/base")
        : subscription(loop, transport, std::move(base), noting(std::move(options))) {
        set(likes);
        check(subscription.start().has_value(), "the subscription starts");
    }

    /// Changes the supported types. The publisher is informed by the next start().
    void set(const Likes& likes) {
        set_one<A>(likes.a);
        set_one<B>(likes.b);
        set_one<C>(likes.c);
    }
    void change(const Likes& likes) {
        set(likes);
        check(subscription.start().has_value(), "the subscription starts again");
    }
    /// Changes weights without interrupting the connection. The types must be those that are supported.
    void reweigh(const Likes& likes) {
        if (likes.a) check(subscription.set_weight<A>(*likes.a).has_value(), "a is weighed");
        if (likes.b) check(subscription.set_weight<B>(*likes.b).has_value(), "b is weighed");
        if (likes.c) check(subscription.set_weight<C>(*likes.c).has_value(), "c is weighed");
        check(subscription.start().has_value(), "the subscription starts again");
    }
    /// Returns the name of the connected type, or an empty string.
    const std::string& connected_to() const { return subscription.connection().supported_type_name; }

    std::vector<std::string> heard;
    std::vector<std::string> unsatisfied;
    NegotiatedSubscription subscription;

private:
    SubscriptionOptions noting(SubscriptionOptions options) {
        options.on_unsatisfied = [this](std::string_view why) { unsatisfied.emplace_back(why); };
        return options;
    }
    template <class T>
    void set_one(std::optional<double> weight) {
        static_cast<void>(subscription.remove_supported_callback<T>());
        if (!weight) return;
        const auto added =
            subscription.add_supported_callback<T>(*weight, many, [this](const String& message) {
                heard.push_back(std::string(T::supported_type_name) + ":" + message.data);
            });
        check(added.has_value(), "the callback is added");
    }
};

/// A publisher of the three types.
class Speaker {
public:
    Speaker(Loop& loop, Transport& transport, const Likes& likes, PublisherOptions options = {},
            std::string base = "/base")
        : publisher(loop, transport, std::move(base), noting(std::move(options))) {
        if (likes.a) check(publisher.add_supported_type<A>(*likes.a, many).has_value(), "a is added");
        const auto count_readers = [this](std::size_t number) { readers_of_b = number; };
        if (likes.b)
            check(publisher.add_supported_type<B>(*likes.b, many, {.on_matched = count_readers}).has_value(),
                  "b is added");
        if (likes.c) check(publisher.add_supported_type<C>(*likes.c, many).has_value(), "c is added");
        check(publisher.start().has_value(), "the publisher starts");
    }

    /// Publishes on all negotiated types, as applications do.
    void say(const std::string& text) {
        if (publisher.type_was_negotiated<A>())
            check(publisher.publish<A>(String{text}).has_value(), "a is sent");
        if (publisher.type_was_negotiated<B>())
            check(publisher.publish<B>(String{text}).has_value(), "b is sent");
        if (publisher.type_was_negotiated<C>())
            check(publisher.publish<C>(String{text}).has_value(), "c is sent");
    }
    /// Returns the names of the types that are published now, such as `ab`.
    std::string negotiated() const {
        return std::string(publisher.type_was_negotiated<A>() ? "a" : "") +
               (publisher.type_was_negotiated<B>() ? "b" : "") +
               (publisher.type_was_negotiated<C>() ? "c" : "");
    }

    std::vector<std::string> unsatisfied;
    int successes = 0;
    std::size_t readers_of_b = 0;
    NegotiatedPublisher publisher;

private:
    PublisherOptions noting(PublisherOptions options) {
        options.on_unsatisfied = [this](std::string_view why) { unsatisfied.emplace_back(why); };
        options.on_success = [this](const NegotiatedTopicsInfo&) { ++successes; };
        return options;
    }
};

/// Publishes 0, 1, 2, ..., one per period.
class Chatter {
public:
    Chatter(Loop& loop, Speaker& speaker, Duration period = std::chrono::milliseconds(1))
        : loop_(loop), speaker_(speaker), period_(period) {
        timer_ = loop.make_timer([this] { tick(); });
        tick();
    }
    void stop() { timer_->cancel(); }

    std::size_t said = 0;

private:
    void tick() {
        speaker_.say(std::to_string(said++));
        timer_->arm(loop_.clock().now() + period_);
    }

    Loop& loop_;
    Speaker& speaker_;
    Duration period_;
    std::unique_ptr<Timer> timer_;
};

/// Subscribes to one topic and publishes each message on another, in the type in which it arrived.
class Forwarder {
public:
    Forwarder(Loop& loop, Transport& transport, std::string from, std::string to)
        : in(loop, transport, std::move(from)), out(loop, transport, std::move(to)) {
        add<A>();
        add<B>();
        add<C>();
        check(out.add_upstream_negotiated_subscription(in).has_value(), "the upstream is added");
        check(in.start().has_value() && out.start().has_value(), "both start");
    }

    NegotiatedSubscription in;
    NegotiatedPublisher out;

private:
    template <class T>
    void add() {
        check(out.add_supported_type<T>(0, many).has_value(), "the type is offered");
        const auto pass = [this](std::shared_ptr<const String> message) {
            check(out.publish<T>(std::move(message)).has_value(), "the message is passed on");
        };
        check(in.add_supported_callback<T>(0, many, pass).has_value(), "the type is supported");
    }
};

}  // namespace caribou::negotiation
