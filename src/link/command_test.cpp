#include "link/command.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "link/command_table.hpp"

namespace caribou::link {
namespace {

using testing::HasSubstr;

std::string fault_of(std::string_view text) {
    const auto command = command_from(text);
    return command ? "" : command.error().message;
}

TEST(Command, KeepsEveryKindOfBlankInAValueThroughItsText) {
    for (const char* const blank : {" ", "\t", "\n", "\r"}) {
        const std::string text = std::string("cubes line=\"a") + blank + "b\"";
        const auto command = command_from(text);
        ASSERT_TRUE(command) << command.error().message;
        EXPECT_EQ(command_from(to_string(*command)), command) << text;
    }
}

TEST(Command, IsReadByNumberByNameAndInTheOldestForm) {
    const auto command = command_from("105 level=2 ttl=300ms");
    ASSERT_TRUE(command) << command.error().message;
    EXPECT_EQ(command->code, CommandCode::move_forward);
    EXPECT_EQ(command->number("level"), 2);
    EXPECT_EQ(command->duration("ttl"), std::chrono::milliseconds(300));
    EXPECT_EQ(command_from("move_forward level=2 ttl=300ms"), *command);

    const auto set_rm = command_from("setRM(2,true)");
    ASSERT_TRUE(set_rm);
    EXPECT_EQ(set_rm->code, CommandCode::set_run_mode);
    EXPECT_EQ(set_rm->text("mode"), "2");
    EXPECT_TRUE(set_rm->flag("drop_server"));
    EXPECT_EQ(command_from("00 setRM(2,true)"), *set_rm);
}

TEST(Command, KeepsBlanksInQuotes) {
    const auto command = command_from(R"(cubes line="play \"rain bow\"")");
    ASSERT_TRUE(command);
    EXPECT_EQ(command->text("line"), R"(play "rain bow")");
    EXPECT_EQ(command_from(to_string(*command)), *command);
    EXPECT_EQ(fault_of("cubes line=\"play"), "a quote is not closed");
    EXPECT_EQ(fault_of(R"(cubes line="play\")"), "a quote is not closed");
    EXPECT_EQ(command_from(std::string_view("status     ").substr(0, 8)), command_from("status"));
}

TEST(Command, GivenAsWordsKeepsTheirValuesExactly) {
    const std::vector<std::string> words{"bus", R"(line=poke A "x \\ y")"};
    EXPECT_EQ(command_text(words), R"(bus line="poke A \"x \\\\ y\"")");
    EXPECT_EQ(command_text(std::vector<std::string>{R"(cubes line="a tap")"}), R"(cubes line="a tap")");
    EXPECT_EQ(command_text(std::vector<std::string>{"105", "level=2"}), "105 level=2");
    for (const char* const quoted : {R"(line="a tap")", R"(line="a \"b\"")"})
        EXPECT_EQ(command_text(std::vector<std::string>{"cubes", quoted}), std::string("cubes ") + quoted);
    EXPECT_EQ(command_text(std::vector<std::string>{"cubes", R"(line="")"}), R"(cubes line="")");
    EXPECT_EQ(command_text(std::vector<std::string>{"cubes", R"(line="a" "b")"}),
              R"(cubes line="\"a\" \"b\"")");
}

RC_GTEST_PROP(Command, KeepsEveryValueThroughAShellAndItsText, ()) {
    const auto value = *rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::element('"', '\\', ' ', '\t', '\n', '=', 'a')));
    RC_PRE(value.front() != '"');  // that may be quoted already
    const auto command = command_from(command_text(std::vector<std::string>{"bus", "line=" + value}));
    RC_ASSERT(command.has_value());
    RC_ASSERT(command->text("line") == value);
    RC_ASSERT(command_from(to_string(*command)).value() == *command);
}

TEST(Command, SaysWhatIsWrongAndWhatInstead) {
    EXPECT_THAT(fault_of(""), HasSubstr("missing"));
    EXPECT_EQ(fault_of("ful_stop"), "there is no command `ful_stop`; did you mean `full_stop`?");
    EXPECT_EQ(fault_of("105 levl=2"), "move_forward has no argument `levl`; did you mean `level`?");
    EXPECT_EQ(fault_of("105 level=4"), "level is `4`, and should be a whole number from 0 to 3");
    EXPECT_EQ(fault_of("105 level=1 level=2"), "level is given twice");
    EXPECT_THAT(fault_of("105 ttl=1h"), HasSubstr("at most 10s"));
    EXPECT_EQ(fault_of("202"), "disable_sensor needs sensor: a text that is not empty");
    EXPECT_THAT(fault_of("105 fast"), HasSubstr("NAME=VALUE"));
    EXPECT_THAT(fault_of("205 mode=7"), HasSubstr("a run mode from 0 to 5"));
    EXPECT_THAT(fault_of("205 mode=init"), HasSubstr("a run mode from 0 to 5"));
    EXPECT_THAT(fault_of("105 level=x"), HasSubstr("a whole number from 0 to 3"));
    EXPECT_THAT(fault_of("202 sensor="), HasSubstr("a text that is not empty"));
    EXPECT_THAT(fault_of("setRM(2,maybe)"), HasSubstr("`true` or `false`"));
    EXPECT_EQ(fault_of("set_run_mode mode=2 drop_server=false"), "");
    EXPECT_EQ(objection_to_text({Code::not_found, "x"}), (Objection{Refusal::unknown_command, "x"}));
    EXPECT_EQ(objection_to_text({Code::invalid_argument, "x"}), (Objection{Refusal::bad_argument, "x"}));
    EXPECT_THAT(fault_of("setRM()"), HasSubstr("a run mode from 0 to 5"));
}

TEST(Command, TakesAFullStopWhateverFollowsIt) {
    for (const char* const text : {"full_stop", "fullstop", "stop", "STOP", "full_stop now=1", "100 please",
                                   "full_stop \"", "full_stop\n", "full_stop a=1 a=1"})
        EXPECT_EQ(command_from(text).value(), Command{.code = CommandCode::full_stop}) << text;
    EXPECT_FALSE(objection_to({.code = CommandCode::full_stop, .arguments = {{"now", "1"}}}));
}

TEST(Command, HasAReasonAndATimeForRm1Only) {
    EXPECT_EQ(fault_of("setRM(1)"), "");
    EXPECT_EQ(fault_of("205 mode=1 reason=TimedSleep time=5s"), "");
    EXPECT_EQ(fault_of("205 mode=2 time=5s"), "time is for RM1 only");
    EXPECT_EQ(fault_of("set_run_mode mode=2 time=5s"), "time is for RM1 only");
    const auto name = [](WaitReason reason) { return std::string(to_string(reason)); };
    using enum WaitReason;
    EXPECT_EQ(fault_of("205 mode=1 reason=Bored"),
              "reason is `Bored`, and should be " + name(charging) + ", " + name(waiting_to_transmit) + ", " +
                  name(waiting_to_receive) + ", " + name(timed_sleep) + " or " + name(requested_sleep));
}

TEST(Command, IsRefusedIfItsNumberIsNotKnown) {
    const auto objection = objection_to({.id = {7}, .code = static_cast<CommandCode>(999)});
    ASSERT_TRUE(objection);
    EXPECT_EQ(*objection, (Objection{Refusal::unknown_command, "there is no command 999"}));
}

TEST(Command, IsRefusedIfAValueIsTooLong) {
    const std::string most(CommandLimits::value, 'x');
    for (const std::string_view start :
         {"ping text=", "201 name=telemetry.rate value=", "bus line=", "cubes line=", "behaviors line="}) {
        const std::string name(start.substr(start.rfind(' ') + 1, start.rfind('=') - start.rfind(' ') - 1));
        const auto good = command_from(std::string(start) + most);
        ASSERT_TRUE(good) << good.error().message;
        EXPECT_EQ(good->text(name), most);
        EXPECT_EQ(fault_of(std::string(start) + most + "x"),
                  name + " has 2001 bytes; at most 2000 are allowed");
    }
}

TEST(Command, IsTooOldAfterItsTimeToLiveUnlessItStops) {
    using namespace std::chrono_literals;
    const auto is_too_old = [](std::string_view text, Duration age) {
        const auto objection = objection_to_age(command_from(text).value(), age);
        EXPECT_TRUE(!objection || objection->refusal == Refusal::expired);
        return objection.has_value();
    };
    EXPECT_FALSE(is_too_old("105 level=1", 500ms));
    EXPECT_TRUE(is_too_old("105 level=1", 501ms));
    EXPECT_FALSE(is_too_old("105 level=1 ttl=2s", 1900ms));
    EXPECT_TRUE(is_too_old("101 ttl=200ms", 300ms));
    EXPECT_TRUE(is_too_old("107 movement=MOVE_FW_1", 1s));
    for (const std::string_view text : {"setRM(2)", "setRM(3)", "setRM(5)", "205 mode=2", "release_stop",
                                        "dock", "go place=kitchen", "behaviors line=help"}) {
        EXPECT_FALSE(is_too_old(text, 2s)) << text;
        EXPECT_TRUE(is_too_old(text, 2001ms)) << text;
    }
    for (const std::string_view text : {"100", "107 movement=HALT", "status", "setRM(0)", "setRM(1)",
                                        "power_off", "release_lease", "map line=list"})
        EXPECT_FALSE(is_too_old(text, 1h)) << text;
}

TEST(CommandTable, HasNumbersAndNamesOnce) {
    std::set<CommandCode> codes;
    std::set<std::string_view> names;
    for (const CommandRow& row : command_table()) {
        EXPECT_TRUE(codes.insert(row.code).second) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.what.empty()) << row.name;
        EXPECT_EQ(find_command(row.name), &row);
        EXPECT_LE(row.arguments.size(), CommandLimits::arguments);
    }
    EXPECT_TRUE(is_motion(CommandCode::spin_left) && is_motion(CommandCode::move));
    EXPECT_FALSE(is_motion(CommandCode::full_stop) || is_motion(CommandCode::release_stop));
    EXPECT_NE(find_command("0"), nullptr);
    for (const char* const wrong : {"65536", "-1", "00x", ""}) EXPECT_EQ(find_command(wrong), nullptr);
}

TEST(CommandTable, SeparatesWhatMovesTheRobotFromTheRest) {
    using enum CommandCode;
    for (const CommandRow& row : command_table()) {
        const bool moves = is_motion(row.code);
        EXPECT_EQ(states_given(row.code), moves || row.code == release_stop) << row.name;
        EXPECT_EQ(needs_lease(row.code), moves || row.code == dock || row.code == go ||
                                             row.code == set_run_mode || row.code == go_to_run_mode ||
                                             row.code == power_off)
            << row.name;
        EXPECT_EQ(is_halt({.code = row.code, .arguments = {{"level", "0"}}}), moves && row.code != move)
            << row.name;
    }
    EXPECT_TRUE(is_halt({.code = move, .arguments = {{"movement", "HALT"}}}));
}

TEST(Answer, IsOneLine) {
    EXPECT_EQ(to_string(Answer::done({1})), "DONE");
    EXPECT_EQ(to_string(Answer::accepted({1}, "on its way")), "ACCEPTED: on its way");
    EXPECT_EQ(to_string(Answer::refused({1}, {Refusal::wrong_mode, "it is in RM2"})),
              "WRONG_MODE: it is in RM2");
    for (int i = 0; i <= static_cast<int>(Refusal::failed); ++i)
        EXPECT_EQ(refusal_from(to_string(static_cast<Refusal>(i))), static_cast<Refusal>(i));
}

}  // namespace
}  // namespace caribou::link
