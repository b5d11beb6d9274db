#include "robot/robot_config.hpp"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "config/text.hpp"
#include "robot/config_schema.hpp"

namespace caribou::robot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> faults_of(std::string_view text) {
    const ReadConfig read = read_config(text, "r.toml");
    std::vector<std::string> lines;
    for (const TextFault& fault : read.faults) lines.push_back(to_string(fault));
    return lines;
}

TEST(RobotConfig, IsCompleteWhenEmpty) {
    const ReadConfig read = read_config("", "r.toml");
    EXPECT_THAT(faults_of(""), ElementsAre());
    EXPECT_EQ(read.config, RobotConfig{});
    EXPECT_EQ(read.config.default_run_mode, 3);
    EXPECT_EQ(read.config.default_com_mode, 3);
}

TEST(RobotConfig, TakesTheOldNamesAndTheSections) {
    const ReadConfig read = read_config(R"(
DefaultRunMode = 2
SendPort = 7000
ServerIP = "127.0.0.2"
[motion]
level_1 = 0.1
[safety]
time_to_live = 0.4
[battery]
dock = 0.25
[telemetry]
rate = 5
sensors_off = ["lidar", "imu"]
)",
                                        "r.toml");
    EXPECT_TRUE(read.good()) << read.errors();
    EXPECT_EQ(read.config.default_run_mode, 2);
    EXPECT_EQ(read.config.send_port, 7000);
    EXPECT_EQ(read.config.motion.level_1, 0.1);
    EXPECT_EQ(read.config.motion.time_to_live, std::chrono::milliseconds(400));
    EXPECT_EQ(read.config.motion.battery_dock, 0.25);
    EXPECT_THAT(read.config.sensors_off, ElementsAre("lidar", "imu"));
}

TEST(RobotConfig, TellsEverythingThatIsWrongAtOnce) {
    EXPECT_THAT(faults_of("DefaultRunMod = 2\nSendPort = 70000\nlog = 3\nlog = 4\n"),
                ElementsAre(HasSubstr("r.toml:4")));  // TOML itself refuses a repeated key
    EXPECT_THAT(
        faults_of("DefaultRunMod = 2\nSendPort = 70000\nlog = 3\n[moton]\nx = 1\n[body]\nkind = \"simm\"\n"),
        ElementsAre("r.toml:1:1: there is no key `DefaultRunMod`; did you mean `DefaultRunMode`?",
                    "r.toml:2:12: SendPort is 70000; expected a whole number from 1 to 65535",
                    "r.toml:3:7: log is 3; expected a text",
                    "r.toml:4:2: there is no section `moton`; did you mean `motion`?",
                    "r.toml:7:8: body.kind is \"simm\"; expected `sim`, `linux`, `driver` or `null`"));
    EXPECT_THAT(faults_of("SendPort = [1, 2]"),
                ElementsAre(HasSubstr("SendPort is a list; expected a whole number")));
    EXPECT_THAT(faults_of("name = \"\x01\""), testing::SizeIs(1));
    EXPECT_THAT(faults_of(std::string(max_config_size + 1, '#')), ElementsAre(HasSubstr("at most")));
}

TEST(RobotConfig, RefusesWhatContradictsItself) {
    EXPECT_THAT(faults_of("DefaultRunMode = 3\nDefaultComMode = 1"),
                ElementsAre("r.toml:2:18: DefaultRunMode 3 needs DefaultComMode 3, not 1"));
    EXPECT_THAT(faults_of("DefaultComMode = 2"), ElementsAre(HasSubstr("allow_blind_server_mode")));
    EXPECT_THAT(faults_of("DefaultRunMode = 1"), ElementsAre(HasSubstr("wait_time")));
    EXPECT_THAT(faults_of("DefaultRunMode = 4"), ElementsAre(HasSubstr("from 0 to 3")));
    EXPECT_THAT(faults_of("ServerIP = \"10.0.0.1\"\n[link]\nplain = true"),
                ElementsAre(HasSubstr("loopback")));
    EXPECT_THAT(faults_of("[topics]\ninterface = \"eth0\""),
                ElementsAre(testing::AllOf(HasSubstr("r.toml:2:13: [topics] "), HasSubstr("lead off"))));
    EXPECT_THAT(faults_of("[topics]\ninsecure_lan = true\ninterface = \"eth0\""), ElementsAre());
    EXPECT_THAT(faults_of("ServerIP = \"over there\""), ElementsAre(HasSubstr("not an address")));
    EXPECT_THAT(faults_of("name = \"has space/slash\""),
                ElementsAre(HasSubstr("r.toml:1:8: name: `has space/slash` is not a valid name")));
    EXPECT_THAT(faults_of("name = \"\""), ElementsAre(HasSubstr("is not a valid name")));
    EXPECT_THAT(faults_of("[ros]\nmap_frame = \"/map\""),
                ElementsAre(HasSubstr("r.toml:2:13: ros.map_frame `/map` is not the name of a frame")));
    EXPECT_THAT(faults_of("[ros]\nbase_frame = \"odom\""),
                ElementsAre("r.toml:2:14: ros.odom_frame and ros.base_frame are both `odom`"));
    EXPECT_THAT(faults_of("[bus]\nhost = true\naddress = \"0.0.0.0:9000\""),
                ElementsAre(HasSubstr("r.toml:3:11: bus.host listens on this machine only")));
    EXPECT_THAT(faults_of("[battery]\nwarn = 0.1"),
                ElementsAre("r.toml:2:8: battery.dock (0.2) has to be at most battery.warn (0.1)"));
    EXPECT_THAT(
        faults_of("[motion]\nlevel_1 = 0.3\n\nlevel_2 = 0.2"),
        testing::Contains("r.toml:4:11: motion.level_1 (0.3) has to be at most motion.level_2 (0.2)"));
}

TEST(ConfigSchema, HasEachKeyOnceWithADefaultInItsRange) {
    std::set<std::string> names;
    RobotConfig defaults;
    const auto places = config_schema().places(defaults);
    auto place = places.begin();
    for (const config::Key& key : config_schema().keys()) {
        EXPECT_TRUE(names.insert(key.full_name()).second) << key.full_name();
        EXPECT_FALSE(key.what.empty()) << key.full_name();
        const std::string section = key.section.empty() ? "" : "[" + key.section + "]\n";
        EXPECT_THAT(faults_of(section + key.name + " = " + config::value_text(*place++)), ElementsAre())
            << key.full_name();
        EXPECT_FALSE(key.settable() && (key.section == "safety" || key.section == "motion"))
            << key.full_name();
    }
}

TEST(ConfigSchema, LetsNothingButTheFileNameAProgram) {
    std::set<std::string> programs;
    for (const config::Key& key : config_schema().keys()) {
        const bool is_program = key.setting == config::Setting::names_program;
        EXPECT_FALSE(is_program && key.settable()) << key.full_name();
        if (is_program) programs.insert(key.full_name());
    }
    EXPECT_THAT(programs, ElementsAre("ai.programs", "body.command", "camera.command"));
    const std::string file = "[body]\nkind = \"driver\"\ncommand = [\"base\"]\n";
    for (const char* const key : {"ai.programs", "body.command", "body.kind", "camera.command"}) {
        const auto changed = with_parameter(file, key, "[\"/bin/sh\"]");
        ASSERT_FALSE(changed) << key;
        EXPECT_EQ(changed.error().code, Code::refused) << key;
    }
}

TEST(RobotConfig, ReadsTheCommandOfACamera) {
    const ReadConfig read = read_config("[camera]\ncommand = [\"rpicam-vid\", \"-t\", \"0\"]", "r.toml");
    EXPECT_TRUE(read.good());
    EXPECT_THAT(read.config.camera_command, ElementsAre("rpicam-vid", "-t", "0"));
    EXPECT_THAT(
        faults_of("[camera]\ncommand = [\"\"]"),
        ElementsAre("r.toml:2:11: camera.command has an empty name; expected a program and its arguments"));
}

TEST(RobotConfig, NeedsACommandForADriver) {
    EXPECT_THAT(
        faults_of("[body]\nkind = \"driver\""),
        ElementsAre("r.toml:2:8: body.kind \"driver\" needs body.command, the program of the driver"));
    EXPECT_THAT(faults_of("[body]\ncommand = [\"./base.py\"]"),
                ElementsAre("r.toml:2:11: body.command needs body.kind \"driver\""));
    const ReadConfig read =
        read_config("[body]\nkind = \"driver\"\ncommand = [\"./base.py\", \"-v\"]", "r.toml");
    EXPECT_TRUE(read.good());
    EXPECT_THAT(read.config.body_command, ElementsAre("./base.py", "-v"));
}

TEST(RobotConfig, RefusesKeysOfOtherBodies) {
    for (const std::string key : {"device", "watchdog", "heartbeat"})
        EXPECT_THAT(faults_of("[body]\n" + key + " = \"/dev/null\""),
                    ElementsAre(HasSubstr(": body." + key + " needs body.kind \"driver\"")));
    EXPECT_THAT(faults_of("[body]\nunguarded = true"),
                ElementsAre(HasSubstr("r.toml:2:13: body.unguarded needs body.kind \"linux\"")));
    EXPECT_THAT(faults_of("[body]\nkind = \"linux\"\nunguarded = true\nwatchdog = \"/dev/watchdog\""),
                ElementsAre());
    EXPECT_THAT(faults_of("[body]\nkind = \"driver\"\ncommand = [\"x\"]\ndevice = \"/dev/ttyUSB0\""),
                ElementsAre());
}

TEST(RobotConfig, NamesTheLineOfAZoneThatIsTooShortForBraking) {
    EXPECT_THAT(
        faults_of("[motion]\nlevel_3 = 0.5\n[safety]\nslow_zone = 0.1"),
        ElementsAre("r.toml:4:13: the braking distance from motion.level_3 by motion.stop_deceleration "
                    "(0.05) has to be at most safety.slow_zone - safety.stop_zone (0.02)"));
}

TEST(RobotConfig, ChecksNamesOfRos) {
    for (const std::string name : {"", "1st", "my-robot", "a__b", "a/b", "ro bot", "ä"})
        EXPECT_THAT(faults_of("[ros]\nnode = \"" + name + "\""),
                    ElementsAre(HasSubstr("r.toml:2:8: ros.node `" + name + "` is not a name")))
            << name;
    for (const std::string name : {"", "fleet", "/fleet/", "//", "/a b", "/1st", "/fleet//rover"})
        EXPECT_THAT(faults_of("[ros]\nnamespace = \"" + name + "\""),
                    ElementsAre(HasSubstr("r.toml:2:13: ros.namespace `" + name + "` is not a namespace")));
    EXPECT_THAT(faults_of("[ros]\nnode = \"Rover_2\"\nnamespace = \"/fleet_1/rover2\""), ElementsAre());
}

TEST(ConfigSchema, PrintsWhatItReadsWithOrigins) {
    const ReadConfig read = read_config("SendPort = 7000\n[ai]\nrate = 10\n", "r.toml");
    const std::string printed = print_config(read);
    EXPECT_THAT(printed, HasSubstr("SendPort = 7000                          # r.toml:1\n"));
    EXPECT_THAT(printed, HasSubstr("ReceivePort = 9601                       # default\n"));
    const ReadConfig again = read_config(printed, "again");
    EXPECT_TRUE(again.good()) << again.errors();
    EXPECT_EQ(again.config, read.config);
}

TEST(ConfigSchema, IsWhatItsPageSays) {
    std::ifstream file(tests::in_repository("docs/robot-config.md"));
    std::ostringstream page;
    page << file.rdbuf();
    EXPECT_EQ(page.str(), config_page()) << "`caribou robot --config-page > docs/robot-config.md` writes it";
}

TEST(SetParameter, ChangesOneLineOfTheFile) {
    const std::string file = "# mine\nSendPort = 7000 # old\n\n[telemetry]\n# slow\nrate = 5\n";
    EXPECT_EQ(with_parameter(file, "SendPort", "7001"),
              "# mine\nSendPort = 7001\n\n[telemetry]\n# slow\nrate = 5\n");
    EXPECT_EQ(with_parameter(file, "telemetry.rate", "8"),
              "# mine\nSendPort = 7000 # old\n\n[telemetry]\n# slow\nrate = 8\n");
    EXPECT_EQ(with_parameter(file, "log_level", "debug"), "log_level = \"debug\"\n" + file);
    EXPECT_EQ(with_parameter(file, "ai.tree", "a \"b\".json"),
              file + "\n[ai]\ntree = \"a \\\"b\\\".json\"\n");
    EXPECT_EQ(with_parameter(file, "telemetry.sensors_off", "[\"imu\"]"),
              "# mine\nSendPort = 7000 # old\n\n[telemetry]\nsensors_off = [\"imu\"]\n# slow\nrate = 5\n");
    EXPECT_EQ(with_parameter("", "ai.tree", "[\"a.json\", \"b.json\"]"),
              "\n[ai]\ntree = [\"a.json\", \"b.json\"]\n");
    EXPECT_EQ(with_parameter("", "SendPort", "7001"), "SendPort = 7001\n");
    EXPECT_EQ(with_parameter("[ai]\ntree = \"a.json\"\n", "ai.tree", ""), "[ai]\ntree = []\n")
        << "the built-in one";
    EXPECT_EQ(with_parameter("[map]\nload = \"a\"\n", "map.load", ""), "[map]\nload = \"\"\n") << "a new map";
}

TEST(SetParameter, RefusesSafetyNonsenseAndWhatWouldBreakTheWhole) {
    const auto code = [](std::string_view text, std::string_view name, std::string_view value) {
        const auto changed = with_parameter(text, name, value);
        return changed ? std::optional<Code>() : changed.error().code;
    };
    EXPECT_EQ(code("", "safety.time_to_live", "9"), Code::refused);
    EXPECT_EQ(code("", "bus.drive", "true"), Code::refused);
    EXPECT_EQ(code("", "telemetry.rat", "9"), Code::not_found);
    EXPECT_EQ(code("", "telemetry.rate", "fast"), Code::invalid_argument);
    EXPECT_EQ(code("", "telemetry.rate", ""), Code::invalid_argument);
    EXPECT_EQ(code("", "telemetry.rate", "1\n[safety]\nlink_lost = 30"), Code::invalid_argument);
    EXPECT_EQ(code("", "DefaultRunMode", "1"), Code::invalid_argument);
    EXPECT_EQ(code("DefaultRunMode = 2", "telemetry.rate", "1"), Code::invalid_argument)
        << "behaviors would stand still";
    EXPECT_EQ(code("DefaultRunMode = 2", "telemetry.rate", "4"), std::nullopt);
    EXPECT_EQ(code("", "telemetry.rate", "0.1"), std::nullopt);
    EXPECT_EQ(code("[telemetry]\nsensors_off = [\n\"a\",\n\"b\"]", "telemetry.sensors_off", "[]"),
              Code::invalid_argument);
    EXPECT_EQ(code("SendPort = ", "telemetry.rate", "3"), Code::invalid_argument);
}

}  // namespace
}  // namespace caribou::robot
