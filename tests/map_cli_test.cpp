// `caribou robot map` with a robot, as a person uses it.

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/robot_console.hpp"
#include "platform/system_clock.hpp"
#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class RobotMaps : public testing::Test {
protected:
    std::string config(const std::string& more = "", int run_mode = 3) const {
        return scratch.write("robot.toml", "name = \"rover\"\nDefaultRunMode = " + std::to_string(run_mode) +
                                               "\nReceivePort = 0\nhandshake_limit = 0.1\nlog = \"" +
                                               (scratch / "robot.log").string() +
                                               "\"\n[link]\nplain = true\nkeys = \"" +
                                               (scratch / "keys").string() + "\"\nrecord = \"" +
                                               (scratch / "rover.link").string() + "\"\n" + more);
    }
    void start(const std::string& more = "", int run_mode = 3) {
        program = std::make_unique<ChildProcess>(command({"robot", "--config", config(more, run_mode)}));
        port = port_of(*program);
        ASSERT_NE(port, 0);
    }
    ChildProcess::End map(std::vector<std::string> words) const {
        words.insert(words.begin(), {"robot", "map"});
        words.insert(words.end(), {"--config", scratch / "robot.toml"});
        ChildProcess asked(command(words));
        return end_of(asked);
    }

    /// Repeats a request until the robot has what it needs, such as its first scan. Returns the output.
    std::string done(const std::vector<std::string>& words) const {
        const SystemClock clock;
        ChildProcess::End end{};
        for (const Instant until = clock.now() + limit; clock.now() < until;)
            if (end = map(words); end.code == 0) return end.out;
        return end.err;
    }

    TemporaryFolder scratch;
    std::unique_ptr<ChildProcess> program;
    std::uint16_t port = 0;
};

TEST_F(RobotMaps, AreSavedLoadedAndExchanged) {
    ASSERT_NO_FATAL_FAILURE(start());
    EXPECT_THAT(done({"save", "flat"}), MatchesRegex("flat is stored: [0-9]+ KiB\n"));
    EXPECT_THAT(done({"load", "flat", "--at", "0.1,-0.1,5"}), StartsWith("flat is loaded; the robot is at "));
    EXPECT_THAT(map({"place", "kitchen", "--at", "1.5,2,90"}).out,
                HasSubstr("kitchen is at 1.50, 2.00, 90 degrees, and stored in flat"));
    EXPECT_THAT(tell(port, "map line=places"), ElementsAre(HasSubstr("kitchen: 1.50, 2.00, 90 degrees")));
    EXPECT_THAT(map({"list"}).out, MatchesRegex("flat  *24.0 x 24.0 m, cells of 0.10 m, 1 place.*\n"));
    EXPECT_EQ(map({"zone", "stairs", "--keep-out", "2,1", "3.5,2"}).out,
              "stairs is a keep-out zone, and stored in flat\n");
    EXPECT_EQ(map({"zone", "door", "--slow", "-1,0", "0,0", "0,-1", "--speed", "0.15"}).out,
              "door is a zone of at most 0.15 m/s, and stored in flat\n");
    EXPECT_THAT(tell(port, "map line=zones"), ElementsAre(HasSubstr("stairs keep_out 2.00,1.00 3.50,1.00 ")));
    EXPECT_EQ(map({"unzone", "door"}).out, "the zone door is forgotten, and stored in flat\n");
    EXPECT_THAT(map({"list"}).out, HasSubstr("1 zone, 1 place"));
    EXPECT_THAT(map({"zone", "door", "--slow", "0,0", "1,1"}).err, HasSubstr("--speed"));
    EXPECT_EQ(map({"zone", "door"}).code, 1) << "without corners";
    EXPECT_THAT(map({"export", "flat", scratch / "."}).out, HasSubstr("flat.yaml are written"));
    EXPECT_THAT(*read_text_file(scratch / "flat.yaml"), StartsWith("image: flat.pgm\n"));
    EXPECT_THAT(map({"import", scratch / "flat.yaml", "copy"}).out, StartsWith("copy is stored"));
    EXPECT_THAT(done({"load", "copy", "--at", "0,0,0"}), StartsWith("copy is loaded"));
    EXPECT_EQ(map({"unplace", "kitchen"}).code, 1) << "the copy has no places";
    EXPECT_EQ(map({"remove", "copy"}).out, "copy is deleted\n");
}

TEST_F(RobotMaps, AreLoadedAtTheStart) {
    ASSERT_NO_FATAL_FAILURE(start());
    EXPECT_THAT(done({"save", "flat"}), StartsWith("flat is stored"));
    EXPECT_EQ(map({"place", "kitchen", "--at", "1.5,2,90"}).code, 0);
    program->signal(SIGTERM);
    end_of(*program);
    ASSERT_NO_FATAL_FAILURE(start("[map]\nload = \"flat\"\nstart = \"0,0,0\"\n"));
    const SystemClock clock;
    std::string places;
    for (const Instant end = clock.now() + limit; clock.now() < end && !places.contains("kitchen");)
        places = map({"places"}).out;
    EXPECT_THAT(places, HasSubstr("kitchen: 1.50, 2.00, 90 degrees"));
}

TEST_F(RobotMaps, AreLookedForByTheCheckOfTheConfiguration) {
    const auto check = [&](const std::string& name) {
        return run({"robot", "--check-config", "--config", config("[map]\nload = \"" + name + "\"\n")});
    };
    const auto missing = check("flt");
    EXPECT_EQ(missing.code, 0) << "the robot starts without it";
    EXPECT_THAT(missing.out, HasSubstr("is good, with 1 warning"));
    EXPECT_THAT(missing.err, HasSubstr(":11:8: warning: map.load: there is no map `flt` in " +
                                       (scratch / "rover.maps").string() + "; it starts with a new map"));
    ASSERT_NO_FATAL_FAILURE(start());
    EXPECT_THAT(done({"save", "flat"}), StartsWith("flat is stored"));
    EXPECT_THAT(check("flt").err, HasSubstr("there is no map `flt`; did you mean `flat`? in "));
    EXPECT_EQ(check("flat").err, "");
}

TEST_F(RobotMaps, HavePlacesToWhichTheRobotGoes) {
    ASSERT_NO_FATAL_FAILURE(start("[telemetry]\nrate = 10\n", 2));
    EXPECT_EQ(map({"place", "spot", "--at", "0.5,0,0"}).code, 0);
    EXPECT_THAT(tell(port, "go place=sopt"),
                ElementsAre(HasSubstr("there is no place `sopt`; did you mean `spot`?")));
    EXPECT_THAT(tell(port, "go place=spot"),
                ElementsAre(StartsWith("ACCEPTED: on its way to spot"), "DONE: it is at spot"));
}

TEST_F(RobotMaps, HavePlacesThatEndTheCommandGoWhenTheyAreRemoved) {
    ASSERT_NO_FATAL_FAILURE(start("[telemetry]\nrate = 10\n", 2));
    EXPECT_EQ(map({"place", "spot", "--at", "0.5,0,0"}).code, 0);
    const auto unplace = [&] { EXPECT_EQ(map({"unplace", "spot"}).code, 0); };
    EXPECT_THAT(tell(port, "go place=spot", unplace),
                ElementsAre(StartsWith("ACCEPTED: on its way to spot"),
                            "FAILED: the place `spot` was removed; go again"));
}

TEST_F(RobotMaps, AreRefusedWithWhatToDo) {
    config();
    const auto error = [&](const std::vector<std::string>& words) {
        const ChildProcess::End end = map(words);
        EXPECT_NE(end.code, 0);
        return end.err;
    };
    EXPECT_THAT(error({"save", "flat"}), HasSubstr("caribou robot map: error: rover cannot be reached at "));
    EXPECT_EQ(error({"remove", "flat"}), "caribou robot map: error: there is no map `flat`\n");
    EXPECT_THAT(error({"load", "flat", "--at", "here"}),
                HasSubstr("expected X,Y,DEGREES such as `1.5,2,90`"));
    EXPECT_THAT(error({"export", "../flat"}), HasSubstr("letters, digits"));
    scratch.write("flat.yaml", "image: flat.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    EXPECT_THAT(error({"import", scratch / "flat.yaml"}), HasSubstr("flat.pgm"));
    scratch.write("flat.pgm", "P5\n2 2\n255\nabc");
    EXPECT_THAT(error({"import", scratch / "flat.yaml"}),
                HasSubstr("flat.pgm: error: expected 4 pixels, found 3"));
    EXPECT_EQ(map({"list"}).out, "rover has no stored maps\n");
}

}  // namespace
}  // namespace caribou::tests
