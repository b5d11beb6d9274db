// `caribou recordings`: the recordings of a running station.

#include <ctime>
#include <deque>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/limits.hpp"
#include "caribou/quantity.hpp"
#include "caribou/station_link.hpp"

namespace caribou::app {
namespace {

double number_in(const JsonNode& node, std::string_view key) {
    const JsonNode* const found = node.find(key);
    return found && found->is(JsonNode::Kind::number) ? found->number : 0;
}

std::string text_in(const JsonNode& node, std::string_view key) {
    const JsonNode* const found = node.find(key);
    return found && found->is(JsonNode::Kind::text) ? found->text : std::string();
}

class RecordingsCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("recordings", "List and delete the recordings of a running station");
        parser->require_subcommand(1);
        CLI::App* const list = parser->add_subcommand("list", "Print the recordings, the oldest first");
        CLI::App* const remove = parser->add_subcommand("delete", "Delete recordings; needs the role admin");
        remove->add_option("NAME", names_, "Names as `list` prints them")->required();
        for (CLI::App* const action : {list, remove}) {
            add_station_options(*action, station_);
            action->callback([this, name = action->get_name()] { action_ = name; });
        }
        parser->footer(
            "Examples:\n"
            "  caribou recordings list\n"
            "  caribou recordings delete 20260101-120000-0001");
        return parser;
    }

    Exit run() override {
        StationLink link("recordings", station_);
        if (auto connected = link.connect(); !connected) return link.complain(connected.error().message);
        if (action_ == "list") names_ = {""};
        for (const std::string& name : names_) ids_.push_back(link.send_record(action_, name));
        link.on_news([&] { hear(link); });
        return link.run();
    }

private:
    void hear(StationLink& link) {
        for (const data::AnswerMessage& answer : link.picture().take_answers()) {
            if (ids_.empty() || answer.id != ids_.front() || !answer.final) continue;
            ids_.pop_front();
            if (answer.kind == data::AnswerKind::refused)
                how_ = link.complain(station::to_string(answer));
            else if (action_ == "list")
                how_ = print(link, answer.text);
            else
                fmt::print("{}\n", station::to_string(answer));
        }
        if (ids_.empty()) return link.end(how_);
        if (!link.connected()) link.end(link.complain("the station has gone before it answered"));
    }

    static Exit print(const StationLink& link, const std::string& text) {
        const auto list = read_json(text, {.bytes = 64_MiB, .depth = 8, .values = 1'000'000});
        const JsonNode* const recordings = list ? list->find("recordings") : nullptr;
        if (!recordings) return link.complain("the station sent no list of recordings");
        const std::string current = text_in(*list, "recording");
        fmt::print("{:<28} {:<20} {:>8} {:>10}\n", "NAME", "START (UTC)", "LENGTH", "SIZE");
        for (const JsonNode& recording : recordings->items) {
            const double start = number_in(recording, "start");
            double size = 0;
            if (const JsonNode* const files = recording.find("files"))
                for (const JsonNode& file : files->items) size += number_in(file, "size");
            const std::string name = text_in(recording, "name");
            fmt::print("{:<28} {:<20} {:>8} {:>10}{}\n", name,
                       start > 0
                           ? fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(start)))
                           : "-",
                       clock_text(number_in(recording, "end") - start), size_text(size),
                       name == current ? "  recording" : "");
        }
        fmt::print("{} of {} used\n", size_text(number_in(*list, "used")),
                   size_text(number_in(*list, "limit")));
        return Exit::ok;
    }

    StationOptions station_;
    std::string action_;
    std::vector<std::string> names_;
    std::deque<std::uint64_t> ids_;  ///< of the requests that are not answered yet
    Exit how_ = Exit::ok;
};

}  // namespace

std::unique_ptr<Command> make_recordings_command() { return std::make_unique<RecordingsCommand>(); }

}  // namespace caribou::app
