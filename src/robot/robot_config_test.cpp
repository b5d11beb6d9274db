#include "robot/robot_config.hpp"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "robot/config_schema.hpp"

namespace caribou::robot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> faults_of(std::string_view text) {
    const ReadConfig read = read_config(text, "r.toml");
    std::vector<std::string> lines;
    for (const auto& finding : read.findings) lines.push_back(bus::to_string(read.path, finding));
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
    EXPECT_TRUE(read.good()) << bus::error_lines("", read.findings);
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
        ElementsAre(
            "r.toml:1: error: there is no key `DefaultRunMod`; did you mean `DefaultRunMode`?",
            "r.toml:2: error: SendPort is 70000; it should be a whole number from 1 to 65535",
            "r.toml:3: error: log is 3; it should be a text",
            "r.toml:4: error: there is no section `moton`; did you mean `motion`?",
            "r.toml:7: error: body.kind is \"simm\"; it should be a `sim`, `linux`, `driver` or `null`"));
    EXPECT_THAT(faults_of("SendPort = [1, 2]"), ElementsAre(HasSubstr("SendPort has one value, no list")));
    EXPECT_THAT(faults_of("name = \"\x01\""), testing::SizeIs(1));
    EXPECT_THAT(faults_of(std::string(max_config_size + 1, '#')), ElementsAre(HasSubstr("at most")));
}

TEST(RobotConfig, RefusesWhatContradictsItself) {
    EXPECT_THAT(faults_of("DefaultRunMode = 3\nDefaultComMode = 1"),
                ElementsAre("r.toml:2: error: DefaultRunMode 3 needs DefaultComMode 3, not 1"));
    EXPECT_THAT(faults_of("DefaultComMode = 2"), ElementsAre(HasSubstr("allow_blind_server_mode")));
    EXPECT_THAT(faults_of("DefaultRunMode = 1"), ElementsAre(HasSubstr("wait_time")));
    EXPECT_THAT(faults_of("DefaultRunMode = 4"), ElementsAre(HasSubstr("from 0 to 3")));
    EXPECT_THAT(faults_of("ServerIP = \"10.0.0.1\"\n[link]\nplain = true"),
                ElementsAre(HasSubstr("loopback")));
    EXPECT_THAT(faults_of("[topics]\ninterface = \"eth0\""),
                ElementsAre(testing::AllOf(HasSubstr("r.toml:2: error: [topics] "), HasSubstr("lead off"))));
    EXPECT_THAT(faults_of("[topics]\ninsecure_lan = true\ninterface = \"eth0\""), ElementsAre());
    EXPECT_THAT(faults_of("ServerIP = \"over there\""), ElementsAre(HasSubstr("no address")));
    EXPECT_THAT(faults_of("name = \"has space/slash\""),
                ElementsAre(HasSubstr("r.toml:1: error: name: `has space/slash` is not a valid name")));
    EXPECT_THAT(faults_of("name = \"\""), ElementsAre(HasSubstr("is not a valid name")));
    EXPECT_THAT(faults_of("[bus]\nhost = true\naddress = \"0.0.0.0:9000\""),
                ElementsAre(HasSubstr("r.toml:3: error: bus.host listens on this machine only")));
    EXPECT_THAT(faults_of("[battery]\nwarn = 0.1"),
                ElementsAre("r.toml:2: error: battery.dock (0.2) has to be at most battery.warn (0.1)"));
    EXPECT_THAT(
        faults_of("[motion]\nlevel_1 = 0.3\n\nlevel_2 = 0.2"),
        testing::Contains("r.toml:4: error: motion.level_1 (0.3) has to be at most motion.level_2 (0.2)"));
}

TEST(ConfigSchema, HasEachKeyOnceWithADefaultInItsRange) {
    std::set<std::string> names;
    for (const ConfigKey& key : config_schema()) {
        EXPECT_TRUE(names.insert(key.full_name()).second) << key.full_name();
        EXPECT_FALSE(key.what.empty()) << key.full_name();
        const std::string section = key.section.empty() ? "" : "[" + key.section + "]\n";
        EXPECT_THAT(faults_of(section + key.name + " = " + value_text(key, {})), ElementsAre())
            << key.full_name();
        EXPECT_FALSE(key.settable && (key.section == "safety" || key.section == "motion")) << key.full_name();
    }
}

TEST(ConfigSchema, LetsNothingButTheFileNameAProgram) {
    std::set<std::string> programs;
    for (const ConfigKey& key : config_schema()) {
        EXPECT_FALSE(key.names_program && key.settable) << key.full_name();
        if (key.names_program) programs.insert(key.full_name());
    }
    EXPECT_THAT(programs, ElementsAre("body.command"));
    const std::string file = "[body]\nkind = \"driver\"\ncommand = [\"base\"]\n";
    for (const char* const key : {"body.command", "body.kind"}) {
        const auto changed = with_parameter(file, key, "[\"/bin/sh\"]");
        ASSERT_FALSE(changed) << key;
        EXPECT_EQ(changed.error().code, Code::refused) << key;
    }
}

TEST(RobotConfig, NeedsACommandForADriver) {
    EXPECT_THAT(
        faults_of("[body]\nkind = \"driver\""),
        ElementsAre("r.toml:2: error: body.kind \"driver\" needs body.command, the program of the driver"));
    EXPECT_THAT(faults_of("[body]\ncommand = [\"./base.py\"]"),
                ElementsAre("r.toml:2: error: body.command needs body.kind \"driver\""));
    const ReadConfig read =
        read_config("[body]\nkind = \"driver\"\ncommand = [\"./base.py\", \"-v\"]", "r.toml");
    EXPECT_TRUE(read.good());
    EXPECT_THAT(read.config.body_command, ElementsAre("./base.py", "-v"));
}

TEST(ConfigSchema, PrintsWhatItReadsWithOrigins) {
    const ReadConfig read = read_config("SendPort = 7000\n[ai]\nrate = 10\n", "r.toml");
    const std::string printed = print_config(read);
    EXPECT_THAT(printed, HasSubstr("SendPort = 7000                          # r.toml:1\n"));
    EXPECT_THAT(printed, HasSubstr("ReceivePort = 9601                       # default\n"));
    const ReadConfig again = read_config(printed, "again");
    EXPECT_TRUE(again.good()) << bus::error_lines("", again.findings);
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
    EXPECT_EQ(with_parameter("", "SendPort", "7001"), "SendPort = 7001\n");
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
