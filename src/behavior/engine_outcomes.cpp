// Classes for files that act on how a child ended.

#include <limits>

#include "behavior/decorators.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/fallback.hpp"
#include "behavior/retry.hpp"
#include "behavior/sequence.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

/// Returns a class with at least one child.
template <class Made>
BehaviorClass ordered_class(std::string name, std::string about, AskedChildren asked, ChildOrder order) {
    return {.name = std::move(name),
            .about = std::move(about),
            .min_children = 1,
            .max_children = std::numeric_limits<std::size_t>::max(),
            .asked_children = asked,
            .order = order,
            .make = [](std::string id, const Arguments&) { return std::make_unique<Made>(std::move(id)); },
            .link = link_as<Made>([](Made& made, std::span<const LinkedChild> children) -> Result<void> {
                for (const LinkedChild& child : children) made.add(child.behavior);
                return {};
            })};
}

/// Returns a class with one child.
template <class Made>
BehaviorClass decorator_class(std::string name, std::string about) {
    return {.name = std::move(name),
            .about = std::move(about),
            .min_children = 1,
            .max_children = 1,
            .asked_children = AskedChildren::all,
            .make = [](std::string id, const Arguments&) { return std::make_unique<Made>(std::move(id)); },
            .link = link_as<Made>([](Made& made, std::span<const LinkedChild> children) {
                return made.add(children.front().behavior);
            })};
}

BehaviorClass timeout_class() {
    return {.name = "timeout",
            .about = "one child; fails if it takes too long",
            .parameters = {{.name = "limit",
                            .kind = Kind::duration,
                            .about = "how long it may take",
                            .required = true}},
            .min_children = 1,
            .max_children = 1,
            .asked_children = AskedChildren::all,
            .make =
                [](std::string id, const Arguments& arguments) {
                    return std::make_unique<Timeout>(std::move(id), arguments.duration("limit"));
                },
            .link = link_as<Timeout>([](Timeout& timeout, std::span<const LinkedChild> children) {
                return timeout.add(children.front().behavior);
            })};
}

BehaviorClass retry_class() {
    return {.name = "retry",
            .about = "one child, until it succeeds",
            .parameters = {{.name = "attempts",
                            .kind = Kind::count,
                            .about = "how often at most",
                            .required = true,
                            .min = 1,
                            .max = 1e9},
                           {.name = "pause",
                            .kind = Kind::duration,
                            .about = "time between two attempts",
                            .fallback = Duration{0}}},
            .min_children = 1,
            .max_children = 1,
            .asked_children = AskedChildren::all,
            .make =
                [](std::string id, const Arguments& arguments) {
                    return std::make_unique<Retry>(std::move(id),
                                                   RetryOptions{.attempts = arguments.count("attempts"),
                                                                .pause = arguments.duration("pause")});
                },
            .link = link_as<Retry>([](Retry& retry, std::span<const LinkedChild> children) {
                return retry.add(children.front().behavior);
            })};
}

}  // namespace

void register_engine_outcomes(ClassRegistry& registry) {
    registry.add(ordered_class<Sequence>("sequence", "its children in order, as long as they succeed",
                                         AskedChildren::first, ChildOrder::in_turn));
    registry.add(ordered_class<Fallback>("fallback", "its children in order, until one succeeds",
                                         AskedChildren::all, ChildOrder::as_fallback));
    registry.add(retry_class());
    registry.add(timeout_class());
    registry.add(decorator_class<Invert>("invert", "one child; fails if it succeeds, and the reverse"));
    BehaviorClass forced =
        decorator_class<ForceSuccess>("force_success", "one child; succeeds however it ends");
    forced.succeeds_always = true;
    registry.add(std::move(forced));
    registry.add(decorator_class<ForceFailure>("force_failure", "one child; fails however it ends"));
}

}  // namespace caribou::behavior
