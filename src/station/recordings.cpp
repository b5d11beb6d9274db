#include "station/recordings.hpp"

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/suggestion.hpp"

namespace caribou::station {
namespace {

constexpr std::string_view endings[] = {".mcap", ".alog"};

/// Returns the name without extension; empty if it is not a file of a recording.
std::string recording_of(std::string_view file) {
    for (const std::string_view ending : endings)
        if (file.ends_with(ending)) return std::string(file.substr(0, file.size() - ending.size()));
    return {};
}

std::string time_json(std::uint64_t nanoseconds) {
    return json_fixed(static_cast<double>(nanoseconds) / 1e9, 3);
}

}  // namespace

Recordings::Recordings(Loop& loop, Station& station, Disk& shelf, RecordingSink& sink,
                       const RecordingsSettings& settings)
    : loop_(loop), shelf_(shelf), recorder_(loop, station, sink, settings.recorder), limit_(settings.limit) {}

const std::string& Recordings::current() const {
    static const std::string none;
    return recorder_.recording() ? recorder_.name() : none;
}

Result<Recordings::Sizes> Recordings::sizes() {
    const auto names = shelf_.list();
    if (!names) return fail(names.error());
    Sizes sizes;
    for (const std::string& name : *names)
        if (!recording_of(name).empty())
            if (const auto size = shelf_.size(name)) sizes[name] = *size;
    std::erase_if(known_, [&](const auto& known) { return !sizes.contains(known.first); });
    return sizes;
}

std::optional<wire::McapTimes> Recordings::times_of(const std::string& file, std::uint64_t size) {
    Known& known = known_[file];
    if (known.size != size)
        if (const auto image = shelf_.map(file))
            known = {image->bytes().size(), wire::mcap_times(image->bytes())};
    return known.times;
}

Result<std::string> Recordings::json() {
    const auto files = sizes();
    if (!files) return fail(files.error());
    struct Row {
        std::string files{};
        std::optional<wire::McapTimes> times{};
    };
    std::map<std::string, Row> rows;
    std::uint64_t used = 0;
    for (const auto& [file, size] : *files) {
        used += size;
        Row& row = rows[recording_of(file)];
        fmt::format_to(std::back_inserter(row.files), R"({}{{"file":{},"size":{}}})",
                       row.files.empty() ? "" : ",", json_quoted(file), size);
        if (file.ends_with(".mcap")) row.times = times_of(file, size);
    }
    std::string list;
    for (const auto& [name, row] : rows)
        fmt::format_to(std::back_inserter(list), R"({}{{"name":{},"start":{},"end":{},"files":[{}]}})",
                       list.empty() ? "" : ",", json_quoted(name),
                       row.times ? time_json(row.times->first) : "null",
                       row.times ? time_json(row.times->last) : "null", row.files);
    return fmt::format(R"({{"recording":{},"used":{},"limit":{},"recordings":[{}]}})",
                       current().empty() ? "null" : json_quoted(current()), used, limit_, list);
}

Result<FileImage> Recordings::file(const std::string& name) {
    const auto files = sizes();
    if (!files) return fail(files.error());
    // Only names of files in the folder itself are accepted.
    if (files->contains(name)) return shelf_.map(name);
    std::vector<std::string> names;
    for (const auto& entry : *files) names.push_back(entry.first);
    return fail(Code::not_found, fmt::format("there is no recording `{}`{}", name, instead_of(name, names)));
}

Result<std::unique_ptr<RecordingPlayer>> Recordings::play(const std::string& name) {
    auto image = file(name + ".mcap");
    if (!image) return fail(std::move(image.error()));
    return RecordingPlayer::open(loop_, name, std::move(*image));
}

}  // namespace caribou::station
