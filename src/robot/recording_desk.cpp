#include "robot/recording_desk.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "base/number_text.hpp"
#include "base/trimmed.hpp"
#include "data/tick_recording.hpp"

namespace caribou::robot {

Result<std::string> RecordingDesk::answer(std::string_view words, ByteView recording) {
    if (words.empty()) return copy(recording);
    const std::size_t blank = words.find(' ');
    const auto number = number_in(words.substr(0, blank));
    const auto offset =
        blank == std::string_view::npos ? std::nullopt : number_in(trimmed(words.substr(blank)));
    if (!number || !offset || *offset < 0)
        return fail(Code::invalid_argument,
                    fmt::format("expected `record` or `record NUMBER OFFSET`, found `record {}`", words));
    if (number_ == 0 || *number != static_cast<double>(number_))
        return fail(Code::not_found, fmt::format("the recording {} is not held any more; request it again "
                                                 "with `record`",
                                                 words.substr(0, blank)));
    if (*offset >= static_cast<double>(copy_.size()))
        return fail(Code::invalid_argument,
                    fmt::format("the recording has {} bytes, and none at {}", copy_.size(), *offset));
    const auto from = static_cast<std::size_t>(*offset);
    return base64(ByteView(copy_).subspan(from, std::min(piece, copy_.size() - from)));
}

std::string RecordingDesk::copy(ByteView recording) {
    copy_.assign(recording.begin(), recording.end());
    return data::to_json(
        data::TickRecording{.number = ++number_,
                            .bytes = copy_.size(),
                            .zero = clock_.unix_seconds() - to_seconds(clock_.now().time_since_epoch())});
}

}  // namespace caribou::robot
