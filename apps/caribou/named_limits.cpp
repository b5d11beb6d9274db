#include "caribou/named_limits.hpp"

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/nearest.hpp"
#include "caribou/quantity.hpp"

namespace caribou::app {
namespace {

using bus::BrokerLimits;

struct Count {
    std::size_t BrokerLimits::* field;
};
struct Size {
    std::size_t BrokerLimits::* field;
};
struct Span {
    Duration BrokerLimits::* field;
};

struct NamedLimit {
    std::string name;
    std::variant<Count, Size, Span> field;
};

const std::vector<NamedLimit>& all_limits() {
    static const std::vector<NamedLimit> all = {
        {"max_clients", Count{&BrokerLimits::max_clients}},
        {"max_variables", Count{&BrokerLimits::max_variables}},
        {"max_message", Size{&BrokerLimits::max_message}},
        {"max_name", Size{&BrokerLimits::max_name}},
        {"max_filters", Count{&BrokerLimits::max_filters}},
        {"backlog_collapse", Size{&BrokerLimits::backlog_collapse}},
        {"backlog_max", Size{&BrokerLimits::backlog_max}},
        {"backlog_total", Size{&BrokerLimits::backlog_total}},
        {"stall_limit", Span{&BrokerLimits::stall_limit}},
        {"max_replies_owed", Count{&BrokerLimits::max_replies_owed}},
        {"max_requests_waiting", Count{&BrokerLimits::max_requests_waiting}},
        {"request_backlog", Size{&BrokerLimits::request_backlog}},
        {"turn_work", Count{&BrokerLimits::turn_work}},
        {"client_timeout", Span{&BrokerLimits::client_timeout}},
        {"name_grace", Span{&BrokerLimits::name_grace}},
        {"name_alive", Span{&BrokerLimits::name_alive}},
        {"stop_grace", Span{&BrokerLimits::stop_grace}},
    };
    return all;
}

struct Setter {
    BrokerLimits& limits;
    std::string_view text;

    Result<void> operator()(Count count) const { return store(count.field, parse_count(text)); }
    Result<void> operator()(Size size) const { return store(size.field, parse_size(text)); }
    Result<void> operator()(Span span) const { return store(span.field, parse_time(text)); }
    template <class T>
    Result<void> store(T BrokerLimits::* field, Result<T> value) const {
        if (!value) return fail(std::move(value.error()));
        limits.*field = *value;
        return {};
    }
};

struct Printer {
    const BrokerLimits& limits;

    std::string operator()(Count count) const { return fmt::format("{}", limits.*count.field); }
    std::string operator()(Size size) const {
        const std::size_t bytes = limits.*size.field;
        return bytes >= 1_MiB ? fmt::format("{}MiB", bytes / 1_MiB) : fmt::format("{}KiB", bytes / 1_KiB);
    }
    std::string operator()(Span span) const { return fmt::format("{}s", to_seconds(limits.*span.field)); }
};

}  // namespace

Result<void> set_limit(BrokerLimits& limits, std::string_view assignment) {
    const auto equals = assignment.find('=');
    const std::string_view name = assignment.substr(0, equals);
    const auto found = std::ranges::find(all_limits(), name, &NamedLimit::name);
    if (found == all_limits().end()) {
        std::vector<std::string> names;
        std::ranges::transform(all_limits(), std::back_inserter(names), &NamedLimit::name);
        const auto meant = nearest(name, names);
        return fail(Code::invalid_argument,
                    fmt::format("there is no limit `{}`{}", name,
                                meant ? fmt::format("; did you mean `{}`?", *meant) : ""));
    }
    if (equals == std::string_view::npos)
        return fail(Code::invalid_argument, fmt::format("`{}` needs a value: {}=…", name, name));
    auto done = std::visit(Setter{limits, assignment.substr(equals + 1)}, found->field);
    if (!done) return fail(Code::invalid_argument, fmt::format("{}: {}", name, done.error().message));
    return {};
}

std::string describe_limits(const BrokerLimits& limits) {
    std::string text;
    for (const NamedLimit& limit : all_limits())
        fmt::format_to(std::back_inserter(text), "  {}={}\n", limit.name,
                       std::visit(Printer{limits}, limit.field));
    return text;
}

}  // namespace caribou::app
