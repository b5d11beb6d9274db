#include "field/large_recording.hpp"

#include <string>

#include <fmt/format.h>

#include "archive/mcap.hpp"
#include "attacker/attacks.hpp"
#include "station/recording_writer.hpp"

namespace caribou::tests {
namespace {

/// A JSON array of numbers that differ by `seed`.
std::string numbers(int count, unsigned seed) {
    std::string text = "[0";
    for (int i = 1; i < count; ++i) text += fmt::format(",{}", (seed * 31 + static_cast<unsigned>(i)) % 97);
    return text + "]";
}

}  // namespace

Bytes large_recording() {
    constexpr unsigned messages_per_second = 20;
    constexpr std::uint64_t second = 1'000'000'000;
    wire::McapWriter writer({.chunk_size = station::RecordingWriter::longest_chunk, .compress = true});
    const auto channel = [&](const char* kind) {
        return writer.add_channel(fmt::format("/rover/{}", kind), "json",
                                  writer.add_schema(fmt::format("caribou.{}", kind), "jsonschema", "{}"));
    };
    const std::uint16_t scan = channel("scan");
    const std::uint16_t map = channel("map");
    for (unsigned i = 0; i < replayed_seconds * messages_per_second; ++i) {
        const std::uint64_t time = replayed_from * second + i * (second / messages_per_second);
        const std::string ranges =
            fmt::format(R"({{"at":1.000,"ranges":[{}],"ages":{{}}}})", numbers(2'000, i));
        const std::string runs =
            fmt::format(R"({{"at":1.000,"width":1,"height":1,"runs":{}}})", numbers(20'000, i));
        writer.add(scan, time, time, bytes_of(ranges));
        writer.add(map, time, time, bytes_of(runs));
    }
    return writer.finish();
}

}  // namespace caribou::tests
