#include "views/view.hpp"

#include <algorithm>

namespace caribou::views {
namespace {

constexpr std::array<std::string_view, view_count> names{"scan",      "map",   "camera", "places", "plan",
                                                         "behaviors", "cubes", "bus",    "topics", "health"};

bool may_stand_in_topic(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string_view to_string(View view) { return names.at(static_cast<std::size_t>(view)); }

std::optional<View> view_from(std::string_view name) {
    const auto* const found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return all_views.at(static_cast<std::size_t>(found - names.begin()));
}

std::string topic_of(std::string_view robot, View view) {
    std::string topic = "/";
    for (const char c : robot) topic += may_stand_in_topic(c) ? c : '_';
    // In ROS, a part of a name must not start with a digit.
    if (topic.size() > 1 && topic[1] >= '0' && topic[1] <= '9') topic.insert(1, "_");
    return topic.append("/").append(to_string(view));
}

}  // namespace caribou::views
