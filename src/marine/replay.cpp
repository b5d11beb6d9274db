#include "marine/replay.hpp"

#include <algorithm>

#include "marine/scene.hpp"
#include "wire/alog_merge.hpp"

namespace caribou::marine {

Result<ReplayEvents> replay_events(const std::vector<ReplayLog>& logs, const ViewConfig& config) {
    std::vector<std::string_view> texts;
    for (const ReplayLog& log : logs) texts.push_back(log.text);
    auto merge = wire::AlogMerge::open(texts);
    if (!merge) return fail(std::move(merge.error()));
    ReplayEvents replay{.start = merge->log_start(), .end = merge->log_start()};
    Scene scene(config.geodesy, config.reports, config.shown.trail_length);
    while (const auto value = merge->next()) {
        replay.end = std::max(replay.end, value->time);
        if (value->entry.type != wire::DataType::string || !scene.reads(value->entry.variable)) continue;
        auto event = scene.apply({.variable = value->entry.variable,
                                  .text = value->entry.text,
                                  .community = logs[value->log].community,
                                  .source = value->entry.source,
                                  .now = value->time});
        scene.expire(value->time);
        if (event)
            replay.events.push_back(std::move(*event));
        else
            ++replay.refused;
    }
    return replay;
}

}  // namespace caribou::marine
