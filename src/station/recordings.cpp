#include "station/recordings.hpp"

#include <charconv>
#include <chrono>
#include <iterator>
#include <set>
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

constexpr Duration expiry_period = std::chrono::minutes(1);

/// Returns when a recording was begun, UNIX seconds, by its name; nullopt if the name is another one.
std::optional<double> start_in(std::string_view name) {
    const auto number = [&](std::size_t at, std::size_t size) {
        int value = -1;
        if (name.size() >= at + size) std::from_chars(name.data() + at, name.data() + at + size, value);
        return value;
    };
    if (name.size() < 15 || name[8] != '-') return std::nullopt;
    using namespace std::chrono;
    const year_month_day day{year(number(0, 4)), month(static_cast<unsigned>(number(4, 2))),
                             std::chrono::day(static_cast<unsigned>(number(6, 2)))};
    const int hour = number(9, 2);
    const int minute = number(11, 2);
    const int second = number(13, 2);
    if (!day.ok() || hour < 0 || minute < 0 || second < 0) return std::nullopt;
    return static_cast<double>(sys_seconds(sys_days(day)).time_since_epoch().count()) + 3600.0 * hour +
           60.0 * minute + second;
}

std::string time_json(std::uint64_t nanoseconds) {
    return json_fixed(static_cast<double>(nanoseconds) / 1e9, 3);
}

}  // namespace

Recordings::Recordings(Loop& loop, Station& station, Disk& shelf, RecordingSink& sink,
                       const RecordingsSettings& settings, Log& log)
    : loop_(loop),
      shelf_(shelf),
      sink_(sink),
      log_(log),
      recorder_(loop, station, sink, settings.recorder),
      limit_(settings.limit),
      camera_keep_(settings.camera_keep),
      timer_(loop.make_timer([this] { expire(); })) {
    timer_->arm(loop_.clock().now());
}

void Recordings::expire() {
    timer_->arm(loop_.clock().now() + expiry_period);
    const auto files = sizes();
    if (!files) return;
    std::set<std::string> names;
    for (const auto& file : *files) names.insert(recording_of(file.first));
    for (const std::string& name : names) {
        const auto start = start_in(name);
        if (!start || !is_camera_recording(name) || name == current()) continue;
        if (loop_.clock().unix_seconds() - *start < to_seconds(camera_keep_)) continue;
        if (auto removed = remove(name); removed)
            log_.info(fmt::format("deleted the recording {}: its images are too old", name));
        else
            log_.warning(
                fmt::format("a recording with images of cameras is too old: {}", removed.error().message));
    }
}

Result<void> Recordings::remove(const std::string& name) {
    if (name == current())
        return fail(Code::wrong_state, fmt::format("{} is being recorded; stop the recording first", name));
    const auto files = sizes();
    if (!files) return fail(files.error());
    bool found = false;
    std::vector<std::string> names;
    for (const auto& entry : *files) {
        const std::string recording = recording_of(entry.first);
        // The files of a recording follow each other.
        if (names.empty() || names.back() != recording) names.push_back(recording);
        if (recording != name) continue;
        found = true;
        if (auto removed = shelf_.remove(entry.first); !removed) return removed;
    }
    if (!found)
        return fail(Code::not_found,
                    fmt::format("there is no recording `{}`{}", name, instead_of(name, names)));
    sink_.forget(name);
    return {};
}

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

Result<std::unique_ptr<RecordingPlayer>> Recordings::play(const std::string& name, ReplayTurns* turns) {
    auto image = file(name + ".mcap");
    if (!image) return fail(std::move(image.error()));
    return RecordingPlayer::open(loop_, name, std::move(*image), turns);
}

}  // namespace caribou::station
