// What a station shows and records of a robot is what happened: on separate processes of the program.

#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sanitized.hpp>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "platform/text_file.hpp"
#include "station/mark_finder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class Truth : public testing::Test {
protected:
    /// Starts both, and releases the stop with which a robot starts that was paired before.
    std::unique_ptr<Operator> start(const std::string& station = "", const std::string& robot = "") {
        field.start_station(station);
        field.start_robot(robot);
        auto person = std::make_unique<Operator>(field.station_at, field.token());
        EXPECT_TRUE(person->sees(is_driven, limit));
        EXPECT_EQ(station::to_string(person->answer_to(person->send("release_stop"), limit).value()), "DONE");
        EXPECT_TRUE(person->sees([](const auto& rover) { return !rover.status.robot->stopped; }, limit));
        return person;
    }

    Field field;
};

TEST_F(Truth, HasAMarkForAStopThatWentThroughAFrozenStation) {
    const std::string folder = (field.scratch / "records").string();
    const auto person = start("[record]\nfolder = \"" + folder + "\"\n");
    field.station->signal(SIGSTOP);
    const std::uint64_t stop = person->send("full_stop");
    person->wait(5s);  // longer than either end waits for the other
    field.station->signal(SIGCONT);
    EXPECT_TRUE(person->answer_to(stop, limit));
    ASSERT_TRUE(person->sees(
        [](const auto& rover) { return is_driven(rover) && rover.status.robot->stopped; }, limit));
    field.station->signal(SIGINT);
    end_of(*field.station);
    std::vector<std::string> kinds;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".mcap") continue;
        const std::string file = read_text_file(entry.path().string(), 64_MiB).value();
        station::MarkFinder finder(wire::McapReader::open(bytes_of(file)).value());
        while (!finder.read_on(1000)) {}
        for (const data::Mark& mark : finder.take().marks) kinds.emplace_back(to_string(mark.kind));
    }
    EXPECT_THAT(kinds, testing::IsSupersetOf({"link", "release", "stop"}));
}

TEST_F(Truth, KnowsWhyARobotIsOffThatEndedWhileTheStationWasFrozen) {
    const auto person = start();
    const station::RobotPicture before = person->rover();
    field.station->signal(SIGSTOP);
    field.robot->signal(SIGPWR);
    end_of(*field.robot);
    person->wait(4s);  // longer than a station waits for a robot
    field.station->signal(SIGCONT);
    ASSERT_TRUE(
        person->sees([](const auto& rover) { return rover.status.presence == data::Presence::off; }, limit));
    const station::RobotPicture rover = person->rover();
    EXPECT_NE(rover.status.off_reason, "");
    EXPECT_TRUE(rover.status.robot);
    ASSERT_TRUE(rover.motion && before.motion);
    EXPECT_NEAR(rover.motion->pose.x, before.motion->pose.x, 0.1);
    const auto shown = run({"robots", "--station", field.station_at}, field.environment("of_station"));
    EXPECT_THAT(shown.out, AllOf(HasSubstr(" off "), HasSubstr(rover.status.off_reason)));
}

/// Counts the images of a camera.
class Viewer final : TextChannelEvents {
public:
    Viewer(const std::string& station, const std::string& token)
        : channel_(dial_web_socket(loop_,
                                   {.at = Address::parse(station).value(),
                                    .target = "/api/v1/stream",
                                    .authorization = "Bearer " + token},
                                   *this)) {}
    bool sees_first() {
        return loop_.run_until([this] { return images_ > 0; }, limit);
    }
    /// Returns the number of images in this time.
    int count(Duration time) {
        images_ = 0;
        loop_.run_until([] { return false; }, time);
        return images_;
    }

private:
    void on_open() override {
        channel_->send(
            R"({"type":"watch","robots":["rover"],"views":["scan","map","plan","camera"],"rate":10})");
    }
    void on_text(std::string_view text) override { images_ += text.contains(R"("jpeg":")") ? 1 : 0; }
    void on_closed(std::string_view) override { loop_.stop(); }

    EventLoop loop_;
    std::unique_ptr<TextChannel> channel_;
    int images_ = 0;
};

TEST_F(Truth, ShowsNineOfTenImagesOfACamera) {
    const std::string written = (field.scratch / "written").string();
    const std::string program = field.scratch.write(
        "eye.sh", fmt::format("while :; do cat {}; echo >> {}; sleep 0.09; done\n",
                              in_repository("fuzz/corpus/jpeg_codec_fuzz/tiny.jpg"), written));
    field.start_station();
    field.start_robot("[camera]\ncommand = [\"/bin/sh\", \"" + program + "\"]\n");
    Viewer viewer(field.station_at, field.token());
    ASSERT_TRUE(viewer.sees_first());
    viewer.count(1s);
    const auto before = std::filesystem::file_size(written);
    const int shown = viewer.count(6s);
    const auto taken = static_cast<double>(std::filesystem::file_size(written) - before);
    EXPECT_GE(taken, sanitized ? 20 : 30) << "about ten per second";
    EXPECT_GE(shown, (sanitized ? 0.7 : 0.9) * taken) << taken;
}

}  // namespace
}  // namespace caribou::tests
