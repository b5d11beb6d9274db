#include "loop/address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string complaint(std::string_view text) {
    const auto address = Address::parse(text);
    if (address) return "no complaint";
    EXPECT_EQ(address.error().code, Code::invalid_argument);
    return address.error().message;
}

TEST(Address, IsReadFromItsFourForms) {
    EXPECT_EQ(Address::parse("127.0.0.1:9000"), Address::ip("127.0.0.1", 9000));
    EXPECT_EQ(Address::parse("[::1]:9000"), Address::ip("::1", 9000));
    EXPECT_EQ(Address::parse("localhost:0"), Address::ip("localhost", 0));
    EXPECT_EQ(Address::parse("robot-7.lab_2.example.org:65535"),
              Address::ip("robot-7.lab_2.example.org", 65535));
    EXPECT_EQ(Address::parse("unix:/run/caribou.sock"), Address::unix_path("/run/caribou.sock"));
}

TEST(Address, IsReadFromEveryFormOfIpv6) {
    for (const char* host : {"::", "::1", "1::", "fe80::1%eth0", "2001:db8:0:1:1:1:1:1",
                             "2001:DB8::ff00:42:8329", "::ffff:10.0.0.1", "1:2:3:4:5:6:1.2.3.4"})
        EXPECT_EQ(Address::parse("[" + std::string(host) + "]:1"), Address::ip(host, 1)) << host;
}

TEST(Address, SaysWhatIsWrongAndWhatToWriteInstead) {
    EXPECT_THAT(complaint(""), AllOf(HasSubstr("empty"), HasSubstr("127.0.0.1:9000")));
    EXPECT_THAT(complaint("robot"),
                AllOf(HasSubstr("'robot'"), HasSubstr("port is missing"), HasSubstr("robot:9000")));
    EXPECT_THAT(complaint(":9000"), AllOf(HasSubstr("host is missing"), HasSubstr("127.0.0.1")));
    EXPECT_THAT(complaint("robot:"), HasSubstr("'' is not a port"));
    EXPECT_THAT(complaint("robot:65536"), AllOf(HasSubstr("'65536' is not a port"), HasSubstr("0 to 65535")));
    EXPECT_THAT(complaint("robot:-1"), HasSubstr("'-1' is not a port"));
    EXPECT_THAT(complaint("robot:9000x"), HasSubstr("'9000x' is not a port"));
    EXPECT_THAT(complaint("robot: 9000"), HasSubstr("' 9000' is not a port"));
    EXPECT_THAT(complaint("ro bot:9000"), HasSubstr("'ro bot' is not a host"));
    EXPECT_THAT(complaint("256.0.0.1:1"), HasSubstr("not an IPv4 address"));
    EXPECT_THAT(complaint("127.1:1"), HasSubstr("not an IPv4 address"));
    EXPECT_THAT(complaint("::1:9000"), AllOf(HasSubstr("brackets"), HasSubstr("[::1]:9000")));
    EXPECT_THAT(complaint("[::1"), HasSubstr("closing ']'"));
    EXPECT_THAT(complaint("[::1]"), AllOf(HasSubstr("port is missing"), HasSubstr("[::1]:9000")));
    EXPECT_THAT(complaint("[]:1"), HasSubstr("host is missing"));
    EXPECT_THAT(complaint("unix:"), AllOf(HasSubstr("path is missing"), HasSubstr("unix:/run/caribou.sock")));
    EXPECT_THAT(complaint("unix:" + std::string(108, 'x')), AllOf(HasSubstr("108"), HasSubstr("107")));
    EXPECT_THAT(complaint(std::string_view("unix:a\0b", 8)), HasSubstr("zero byte"));
}

TEST(Address, RefusesWhatOnlyLooksLikeIpv6) {
    for (const char* host : {":", ":::", "1", "1:2", "1::2::3", "12345::", "::g", "1:2:3:4:5:6:7:8:9",
                             "1:2:3:4:5:6:7:", "::1%", "1:2:3:4:5:6:7:8::", ":1::", "robot"})
        EXPECT_THAT(complaint("[" + std::string(host) + "]:1"), HasSubstr("not an IPv6 address")) << host;
}

TEST(Address, IsLoopbackWhenItNeverLeavesTheMachine) {
    for (const char* host : {"127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "localhost", "LocalHost"})
        EXPECT_TRUE(Address::ip(host, 1).is_loopback()) << host;
    EXPECT_TRUE(Address::unix_path("/run/x").is_loopback());
}

TEST(Address, IsNotLoopbackWhenItOnlyBeginsLikeOne) {
    for (const char* host : {"", "0.0.0.0", "::", "128.0.0.1", "12.7.0.1", "127.0.0.1.example.org", "127.0.0",
                             "127.0.0.256", "localhost.example.org", "localhos", "::12", "::1:1"})
        EXPECT_FALSE(Address::ip(host, 1).is_loopback()) << host;
}

TEST(Address, IsWrittenAsItIsRead) {
    for (const char* text : {"127.0.0.1:9000", "[::1]:9000", "localhost:0", "unix:/run/caribou.sock"})
        EXPECT_EQ(to_string(*Address::parse(text)), text);
}

RC_GTEST_PROP(Address, ComesBackFromItsText, (std::uint16_t port)) {
    const auto text = *rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcxyzABZ0189.-_:/[]% "))));
    const auto read = Address::parse(text + ":" + std::to_string(port));
    if (read) RC_ASSERT((Address::parse(to_string(*read)) == *read));
}

RC_GTEST_PROP(Address, AnswersAnyTextWithoutHarm, (const std::string& text)) {
    const auto read = Address::parse(text);
    if (!read) RC_ASSERT(!read.error().message.empty());
}

}  // namespace
}  // namespace caribou
