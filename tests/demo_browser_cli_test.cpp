#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/program.hpp"
#include "child/terminal_process.hpp"
#include "child/world_process.hpp"
#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A desktop whose `xdg-open` stores the address, tries to end the demo with the signals of its group, and
/// hangs until the folder is gone.
class Demo : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(write_text_file(folder_ / "xdg-open", "#!/bin/sh\ncd " + folder_.path() + R"(
trap '' INT TERM HUP
echo noise
echo "$1" > part
mv part opened
kill -INT 0
while [ -e opened ]; do sleep 0.1; done
)"));
        std::filesystem::permissions(folder_ / "xdg-open", std::filesystem::perms::owner_all);
    }
    Words environment(const std::string& display) const {
        return {"PATH=" + folder_.path() + ":/usr/bin:/bin", "WAYLAND_DISPLAY=", "DISPLAY=" + display};
    }
    std::filesystem::path opened() const { return folder_ / "opened"; }

    TemporaryFolder folder_;
};

TEST_F(Demo, OpensThePageInTheBrowserWhichCannotEndOrBlockIt) {
    TerminalProcess demo(command({"demo", "--port", "0"}), environment(":7"));
    ASSERT_TRUE(demo.shows("The page opens in your browser", limit)) << demo.shown();
    ASSERT_TRUE(comes_true([&] { return std::filesystem::exists(opened()); })) << demo.shown();
    const std::string address = read_text_file(opened()).value();
    EXPECT_THAT(address, StartsWith("http://127.0.0.1:"));
    EXPECT_THAT(demo.shown(), HasSubstr("Caribou is at  " + address.substr(0, address.size() - 1)));
    EXPECT_THAT(demo.shown(), testing::Not(HasSubstr("noise")));
    demo.press("\x03");
    EXPECT_EQ(demo.wait(limit), 0) << demo.shown();
}

TEST_F(Demo, OpensNoBrowserIfItIsSwitchedOffOrThereIsNoDesktop) {
    for (const auto& [words, display] : {std::pair{Words{"demo", "--port", "0", "--no-browser"}, ":7"},
                                         std::pair{Words{"demo", "--port", "0"}, ""}}) {
        TerminalProcess demo(command(words), environment(display));
        ASSERT_TRUE(demo.shows("Ctrl-C ends all.", limit)) << demo.shown();
        demo.press("\x03");
        EXPECT_EQ(demo.wait(limit), 0) << demo.shown();
        EXPECT_THAT(demo.shown(), testing::Not(HasSubstr("opens in your browser")));
        EXPECT_FALSE(std::filesystem::exists(opened()));
    }
}

TEST_F(Demo, RecordsTheMapsOfAFewRobots) {
    for (const auto& [robots, views] :
         {std::pair{"3", R"(views = ["scan", "map", "plan"])"}, std::pair{"11", "views = []"}}) {
        const auto kept = folder_ / (std::string("kept") + robots);
        const auto end = run({"demo", "--port", "0", "--robots", robots, "--seconds", "0.1", "--keep", kept},
                             environment(""));
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(read_text_file(kept / "station.toml").value(), HasSubstr(views));
    }
}

}  // namespace
}  // namespace caribou::tests
