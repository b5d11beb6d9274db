#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/clock.hpp"

namespace caribou::robot {

/// Hands out a recording in pieces that fit into answers: `record` copies it, `record NUMBER OFFSET` returns
/// a piece of that copy. One copy is held at a time.
class RecordingDesk {
public:
    static constexpr std::size_t piece = 20'000;  ///< bytes, before they are encoded

    /// `clock` must outlive this object.
    explicit RecordingDesk(const Clock& clock) : clock_(clock) {}

    /// Executes what follows the word `record`. An empty `words` copies `recording` and returns a
    /// data::TickRecording as JSON; otherwise returns the piece in base64.
    Result<std::string> answer(std::string_view words, ByteView recording);

private:
    std::string copy(ByteView recording);

    const Clock& clock_;
    std::uint64_t number_ = 0;
    Bytes copy_;
};

}  // namespace caribou::robot
