#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "behavior/recording.hpp"
#include "behavior/recording_format.hpp"
#include "behavior/replay.hpp"

/// Arbitrary bytes as a recording. An accepted recording replays consistently, forward and by seeking; every
/// change can be encoded and decoded again; every error contains its offset.
namespace {

using namespace caribou;
using namespace caribou::behavior;

void check_changes(const Recording& recording) {
    std::size_t tree = 0;
    for (const RecordedTick& tick : recording.ticks())
        for (const Change& change : tick.changes) {
            Bytes written;
            append_change(written, change);
            VarintReader reader(written);
            check(read_change(reader, recording.trees()[tree]) == change, "a change survives being written");
            check(reader.at_end(), "a change takes the bytes that it wrote");
            if (std::holds_alternative<TreeChanged>(change)) ++tree;
        }
}

void check_replay(const Recording& recording) {
    Replay forwards(recording);
    Replay seeking(recording);
    do {
        if (!forwards.tick()) return;
        check(seeking.seek(forwards.tick()->tick).has_value(), "every tick can be found");
        check(seeking.state() == forwards.state(), "seeking and stepping agree");
        for (const Who who : forwards.state().stack) {
            check(forwards.state().in_scope.contains(who), "who is active is in scope");
            check(forwards.find(forwards.id(who)) != nobody, "who is active has a name");
        }
    } while (forwards.step());
    check(seeking.seek(recording.ticks().front().tick).has_value(), "one can go back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto recording = Recording::read(std::as_bytes(std::span(data, size)));
    if (!recording) {
        check(recording.error().message.starts_with("offset "), "an error names its place");
        return 0;
    }
    check_changes(*recording);
    check_replay(*recording);
    return 0;
}
