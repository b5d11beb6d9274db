#include "station/station_config.hpp"
#include <test_paths.hpp>

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> faults_of(std::string_view text) {
    std::vector<std::string> all;
    for (const TextFault& fault : read_station_config(text, "s.toml").faults) all.push_back(to_string(fault));
    return all;
}

TEST(StationConfig, HasADefaultForEverything) {
    const auto read = read_station_config("", "s.toml");
    EXPECT_THAT(read.faults, IsEmpty());
    EXPECT_EQ(to_string(read.config.listen), "127.0.0.1:9600");
    EXPECT_EQ(to_string(read.config.web_listen), "127.0.0.1:9680");
}

TEST(StationConfig, IsRead) {
    const auto [config, faults, printed] = read_station_config(R"(
name = "base"
robots = ["ada"]
only_known = true
[groups]
dogs = ["bee"]
[link]
stale_after = 0.5
role = "drive"
[autopilot]
battery_low = 0.35
level = 1
[record]
at_start = false
views = ["map", "health"]
[topics]
transport = "dds"
domain = 7
insecure_lan = true
interface = "eth0"
peers = ["rover.lan"]
[web]
listen = "0.0.0.0:80"
drive_token = "secret"
hosts = ["base.lan"]
[dial]
mole = "192.0.2.7:9601"
)",
                                                               "s.toml");
    EXPECT_THAT(faults, IsEmpty());
    EXPECT_EQ(config.fleet.session.station, "base");
    EXPECT_EQ(config.api.station, "base");
    EXPECT_EQ(config.fleet.session.stale_after, 500ms);
    EXPECT_EQ(config.fleet.session.role, link::Role::drive);
    EXPECT_EQ(config.pilot.battery_low, 0.35);
    EXPECT_EQ(config.pilot.way.level, 1);
    EXPECT_FALSE(config.record.at_start);
    EXPECT_THAT(config.record.views, ElementsAre(views::View::map, views::View::health));
    EXPECT_THAT(read_station_config("", "").config.record.views,
                ElementsAre(views::View::scan, views::View::map, views::View::plan, views::View::cubes));
    EXPECT_THAT(faults_of("[record]\nviews = [\"helth\"]\n"),
                ElementsAre(HasSubstr("did you mean `health`?")));
    EXPECT_TRUE(config.fleet.robots.contains("ada"));
    EXPECT_TRUE(config.fleet.groups.at("dogs").contains("bee"));
    EXPECT_EQ(config.api.access.tokens.at("secret"), link::Role::drive);
    EXPECT_EQ(config.topics.transport, "dds");
    EXPECT_EQ(config.topics.dds,
              (negotiation::DdsSettings{
                  .domain = 7, .insecure_lan = true, .interface = "eth0", .peers = {"rover.lan"}}));
    EXPECT_THAT(config.api.hosts, ElementsAre("base.lan"));
    EXPECT_EQ(config.fleet.dial.at("mole"), Address::ip("192.0.2.7", 9601));
}

TEST(StationConfig, DialsValidAddressesOnlyAndPlainlyOnThisMachineOnly) {
    EXPECT_THAT(faults_of("dial = 1\n"), ElementsAre(HasSubstr("a table of addresses by robot")));
    EXPECT_THAT(faults_of("[dial]\nmole = \"nowhere\"\n"),
                ElementsAre(HasSubstr("dial.mole is invalid; expected an address such as")));
    EXPECT_THAT(faults_of("[dial]\nmole = \"192.0.2.7:0\"\n"),
                ElementsAre(HasSubstr("s.toml:2:8: dial.mole has port 0")));
    EXPECT_THAT(faults_of("[dial]\n\"\" = \"192.0.2.7:9601\"\n"),
                ElementsAre(HasSubstr("s.toml:2:1: dial: `` is not a valid name")));
    EXPECT_THAT(faults_of("[dial]\nmole = \"192.0.2.7:9601\"\nvole = \"192.0.2.7:9601\"\n"),
                ElementsAre(HasSubstr("s.toml:3:8: dial.vole has the address of dial.mole")));
    EXPECT_THAT(faults_of("[link]\nplain = true\n[dial]\nmole = \"192.0.2.7:9601\"\n"),
                ElementsAre(HasSubstr("link.plain is for this machine only")));
    EXPECT_THAT(faults_of("[link]\nplain = true\n[dial]\nmole = \"127.0.0.1:9601\"\n"), IsEmpty());
}

TEST(StationConfig, SaysAllThatIsWrongAtOnceWithItsLine) {
    EXPECT_THAT(
        faults_of("nam = \"x\"\nlisten = 3\n[link]\nheartbeat = 99\nrole = \"boss\"\n[groups]\ndogs = 1\n"),
        ElementsAre("s.toml:1:1: there is no key `nam`; did you mean `name`?",
                    "s.toml:2:10: listen is 3; expected an address such as `127.0.0.1:9600`",
                    "s.toml:4:13: link.heartbeat is 99; expected a number from 0.1 to 10 (s)",
                    "s.toml:5:8: link.role is \"boss\"; expected `observe`, `drive` or `admin`",
                    "s.toml:7:8: groups.dogs is invalid; expected a list of texts"));
    EXPECT_THAT(faults_of("name = "), ElementsAre(HasSubstr("s.toml:1:")));
    EXPECT_THAT(faults_of("[link]\nheartbeat = 5\n"), ElementsAre(HasSubstr("link.link_limit")));
    EXPECT_THAT(faults_of("[topics]\ntransport = \"ddd\"\ndomain = 1.5\n"),
                ElementsAre("s.toml:2:13: topics.transport is \"ddd\"; expected `session`, `bus` or `dds`",
                            "s.toml:3:10: topics.domain is 1.5; expected a whole number from -1 to 232"));
}

TEST(StationConfig, StaysOnThisMachineWithoutKeysOrAToken) {
    EXPECT_THAT(faults_of("listen = \"0.0.0.0:9600\""), testing::IsEmpty());
    EXPECT_THAT(faults_of("listen = \"0.0.0.0:9600\"\n[link]\nplain = true\n"),
                ElementsAre(HasSubstr("for this machine only")));
    EXPECT_THAT(faults_of("[web]\nlisten = \"0.0.0.0:80\""),
                ElementsAre(HasSubstr("there has to be a token")));
    EXPECT_THAT(faults_of("[topics]\npeers = [\"10.0.0.1\"]"),
                ElementsAre(AllOf(HasSubstr("s.toml:2:9: [topics]"), HasSubstr("add insecure_lan = true"))));
}

TEST(StationConfig, IsWhatItsPageSays) {
    std::ifstream file(tests::in_repository("docs/station-config.md"));
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(page, station_config_page())
        << "`caribou station --config-page > docs/station-config.md` writes it";
}

TEST(StationConfig, PrintsWhatItReadsWithOrigins) {
    const auto read = read_station_config(
        "name = \"base\"\n[link]\nheartbeat = 0.5\n[groups]\ndogs = [\"bee\"]\n[dial]\nmole = "
        "\"192.0.2.7:9601\"\n",
        "s.toml");
    EXPECT_THAT(
        read.printed,
        AllOf(HasSubstr("name = \"base\"                            # s.toml:1\n"),
              HasSubstr("heartbeat = 0.5                          # s.toml:3\n"),
              HasSubstr("role = \"admin\"                           # default\n"),
              HasSubstr("[groups]\n\"dogs\" = [\"bee\"]\n\n[dial]\n\"mole\" = \"192.0.2.7:9601\"\n")));
    const auto again = read_station_config(read.printed, "again.toml");
    EXPECT_THAT(again.faults, IsEmpty());
    EXPECT_EQ(again.config.fleet.session.heartbeat, 500ms);
    EXPECT_EQ(again.config.fleet.dial, read.config.fleet.dial);
    EXPECT_EQ(again.config.record.views, read.config.record.views);
}

}  // namespace
}  // namespace caribou::station
