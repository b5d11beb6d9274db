// Two people with the role drive, and no admin: on separate processes of the program.

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/keys/key_folder.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "base/log.hpp"
#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"
#include "link/link_console.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// A person with a key of their own, connected to the robot without its station. Sends one command, and stays
/// connected.
class KeyHolder {
public:
    KeyHolder(const Field& field, const std::string& name, const std::string& command)
        : secured_(loop_, plain_, log_,
                   {.own_key = KeyFolder(field.scratch / name).read("rover").value().key}) {
        static std::uint64_t last_id = 0;  // a known id is answered again, and not carried out
        link::Command sent = link::command_from(command).value();
        sent.id = {++last_id};
        console_.emplace(secured_, Address::parse(field.robot_at).value(), name, link::Role::drive, sent,
                         [this](const Result<link::Answer>& answer) {
                             answer_ = answer ? to_string(*answer) : answer.error().message;
                         });
        EXPECT_TRUE(loop_.run_until([this] { return !answer_.empty(); }, limit));
    }
    const std::string& answer() const { return answer_; }

private:
    EventLoop loop_;
    NullLog log_;
    SocketNetwork plain_{loop_, log_};
    TlsNetwork secured_;
    std::string answer_;
    std::optional<link::LinkConsole> console_;
};

class TakeLease : public testing::Test {
protected:
    void start(const std::string& station) {
        field.start_station(station);
        field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    }
    bool comes_to_rest(Operator& person) {
        return person.sees([&](const auto&) { return trace.take(), !trace.latest().moves; }, limit);
    }
    static bool is_told(Operator& person, const std::string& text) {
        std::string told;
        return person.sees(
            [&](const auto&) {
                for (const std::string& notice : person.take_notices()) told += notice + "\n";
                return told.contains(text);
            },
            limit);
    }
    bool moves(Operator& person) {
        return person.sees([&](const auto&) { return trace.take(), trace.latest().moves; }, limit);
    }

    Field field;
    OrderTrace trace{(field.scratch / "orders").string()};
};

TEST_F(TakeLease, NeedsNoAdminAtTheStation) {
    start("[web]\nrole = \"drive\"\n");
    Operator ann(field.station_at, "", "ann");
    Operator ben(field.station_at, "", "ben");
    ASSERT_TRUE(ann.sees(is_driven, limit));
    ASSERT_EQ(ann.answer("release_stop", limit), "DONE");
    ASSERT_EQ(ann.answer("105 level=1 ttl=2s", limit), "DONE");
    ASSERT_TRUE(moves(ann));
    ASSERT_TRUE(ben.sees([](const auto& rover) { return !rover.status.driver.empty(); }, limit));
    const std::string first = ben.rover().status.driver;
    EXPECT_EQ(ben.answer("105 level=1", limit), "NO_LEASE: " + first + " drives; take_lease takes over");
    EXPECT_THAT(ben.answer("take_lease", limit), HasSubstr("DONE"));
    EXPECT_TRUE(comes_to_rest(ben));
    ASSERT_TRUE(ann.sees([&](const auto& rover) { return rover.status.driver != first; }, limit));
    const std::string second = ann.rover().status.driver;
    for (Operator* const person : {&ann, &ben})
        EXPECT_TRUE(is_told(*person, second + " has taken the lease from " + first));
    EXPECT_THAT(ann.answer("105 level=1", limit), HasSubstr("NO_LEASE: "));
    EXPECT_EQ(ben.answer("105 level=1", limit), "DONE");
    EXPECT_TRUE(moves(ben));
    // And back: a lease is not lost for good.
    EXPECT_THAT(ann.answer("take_lease", limit), HasSubstr("DONE"));
    EXPECT_EQ(ann.answer("105 level=1", limit), "DONE");
}

TEST_F(TakeLease, NeedsNoAdminAmongTheKeysOfTheRobot) {
    field.add_person("ann", "drive");
    field.add_person("ben", "drive");
    const auto keys = run({"pair", "--keys", field.scratch / "of_robot", "list"});
    ASSERT_THAT(keys.out, testing::Not(HasSubstr("admin"))) << "the station may drive, too";
    start("");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    ASSERT_EQ(person.answer("release_stop", limit), "DONE");
    ASSERT_EQ(person.answer("105 level=1 ttl=2s", limit), "DONE");
    ASSERT_TRUE(moves(person));
    EXPECT_EQ(KeyHolder(field, "ann", "105 level=1").answer(),
              "NO_LEASE: station drives; take_lease takes over");
    {
        const KeyHolder ann(field, "ann", "take_lease");
        EXPECT_EQ(ann.answer(), "DONE: ann has taken the lease from station");
        EXPECT_TRUE(comes_to_rest(person));
        EXPECT_EQ(KeyHolder(field, "ben", "105 level=1").answer(),
                  "NO_LEASE: ann drives; take_lease takes over");
        EXPECT_EQ(KeyHolder(field, "ben", "take_lease").answer(), "DONE: ben has taken the lease from ann");
    }
    // Both have left, and hold nothing.
    EXPECT_TRUE(person.sees(
        [&](const auto&) { return KeyHolder(field, "ann", "105 level=1").answer() == "DONE"; }, limit));
}

}  // namespace
}  // namespace caribou::tests
