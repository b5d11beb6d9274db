// `caribou tree record`: saves the latest ticks of a running robot.

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "base/json_node.hpp"
#include "behavior/recording.hpp"
#include "caribou/tree_commands.hpp"
#include "data/json.hpp"
#include "data/tick_recording.hpp"
#include "kit/robot/robot_ask.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

class TreeRecordCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand(
            "record", "Save the latest ticks of a running robot, for explain and replay");
        parser->add_option("RECORDING", file_, "File to write")->required();
        reach_.add_to(*parser);
        return parser;
    }

    Exit run() override {
        const auto bytes = fetch();
        if (!bytes) return complain(bytes.error());
        const auto recording = behavior::Recording::read(*bytes);
        if (!recording) return complain(recording.error());
        if (auto written = write_text_file(file_, text_of(*bytes)); !written)
            return complain(written.error());
        print(*recording);
        return Exit::ok;
    }

private:
    static Exit complain(const Error& error) {
        fmt::print(stderr, "caribou tree record: {}\n", error.message);
        return error.code == Code::invalid_argument ? Exit::usage : Exit::failed;
    }

    Result<std::string> ask(const std::string& line) const {
        return reach_.ask(link::CommandCode::behaviors, line);
    }

    Result<Bytes> fetch() const {
        const auto text = ask("record");
        if (!text) return fail(text.error());
        const auto node = read_json(*text);
        const auto offer = node ? data::from_json<data::TickRecording>(*node, "recording")
                                : fail(Code::malformed, "expected JSON, found " + *text);
        if (!offer) return fail(offer.error());
        Bytes bytes;
        while (bytes.size() < offer->bytes) {
            const auto encoded = ask(fmt::format("record {} {}", offer->number, bytes.size()));
            if (!encoded) return fail(encoded.error());
            const auto piece = base64_content(*encoded);
            if (!piece || piece->empty())
                return fail(Code::malformed, "the robot sent a malformed recording");
            append(bytes, *piece);
        }
        return bytes;
    }

    void print(const behavior::Recording& recording) const {
        const auto& ticks = recording.ticks();
        if (ticks.size() < 2) {
            fmt::print("{}: no tick yet\n", file_);
            return;
        }
        fmt::print("{}: ticks {} to {}, {:.1f} s\n", file_, ticks[1].tick, ticks.back().tick,
                   to_seconds(ticks.back().now - ticks[1].now));
    }

    RobotReach reach_;
    std::string file_;
};

}  // namespace

std::unique_ptr<Command> make_tree_record_command() { return std::make_unique<TreeRecordCommand>(); }

}  // namespace caribou::app
