// A program that watches a robot through its station, for tests/dds/views_test.sh: `view_watcher STATION
// ROBOT` prints the mode of the session when it changes, and a line for each updated view: its name and time.
// A scan counts only if it is from the topic, not from telemetry.

#include <cstdio>
#include <map>
#include <string>

#include "base/json_node.hpp"
#include "base/json_text.hpp"
#include "platform/web_socket.hpp"
#include "views/view.hpp"

namespace {

using namespace caribou;

class Watcher final : public TextChannelEvents {
public:
    Watcher(EventLoop& loop, const Address& station, std::string robot)
        : loop_(loop),
          robot_(std::move(robot)),
          channel_(dial_web_socket(loop, {.at = station, .target = "/api/v1/stream"}, *this)) {}

private:
    void on_open() override {
        std::string all;
        for (const views::View view : views::all_views)
            if (view != views::View::places)  // they arrive with the map
                all += (all.empty() ? "" : ",") + json_quoted(views::to_string(view));
        channel_->send(R"({"type":"watch","robots":[)" + json_quoted(robot_) + R"(],"views":[)" + all + "]}");
    }
    void on_text(std::string_view text) override {
        const auto message = read_json(text, {.bytes = 64_MiB, .depth = 32, .values = 1'000'000});
        if (const JsonNode* const error = message ? message->find("text") : nullptr)
            std::printf("told: %s\n", error->text.c_str());
        const JsonNode* const robots = message ? message->find("robots") : nullptr;
        const JsonNode* const robot = robots != nullptr ? robots->find(robot_) : nullptr;
        if (robot == nullptr) return;
        if (const JsonNode* const status = robot->find("status")) tell_mode(*status);
        for (const JsonNode& section : robot->items)
            if (views::view_from(section.key)) tell_view(section);
        std::fflush(stdout);
    }
    void on_closed(std::string_view why) override {
        std::fprintf(stderr, "%.*s\n", static_cast<int>(why.size()), why.data());
        loop_.stop();
    }

    void tell_mode(const JsonNode& status) {
        const JsonNode* const mode = status.find("mode");
        if (mode == nullptr || mode->text == mode_) return;
        mode_ = mode->text;
        std::printf("mode %s\n", mode_.c_str());
    }
    void tell_view(const JsonNode& section) {
        constexpr double step = 0.05;  // s; smaller changes are caused by the clock comparison
        const JsonNode* const at = section.find("at");
        if (at == nullptr || (section.key == "scan" && section.find("encoding") == nullptr)) return;
        double& latest = latest_[section.key];
        if (at->number < latest + step) return;
        latest = at->number;
        std::printf("%s %.3f\n", section.key.c_str(), at->number);
    }

    EventLoop& loop_;
    std::string robot_;
    std::string mode_;
    std::map<std::string, double> latest_;
    std::unique_ptr<TextChannel> channel_;
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const auto station = Address::parse(arguments[1]);
    if (!station) return 2;
    EventLoop loop;
    const Watcher watcher(loop, *station, arguments[2]);
    loop.run();
    return 1;  // killed from outside
}
