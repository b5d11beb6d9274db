#include "bus/process_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<const ProcessWatch::Process*>& processes) {
    std::vector<std::string> names;
    for (const auto* process : processes) names.push_back(process->name);
    return names;
}

TEST(ProcessWatch, ReportsProgramsThatVanishAndReturnInTheCapturedForms) {
    ProcessWatch watch({.own_name = "uProcessWatch", .launched = {"pHelmIvP"}});
    auto changes = watch.on_clients("uLoadWatch,uProcessWatch,pHelmIvP,");
    EXPECT_THAT(names_of(changes.appeared), ElementsAre("pHelmIvP", "uLoadWatch"));
    EXPECT_EQ(watch.summary(), "All Present");
    EXPECT_EQ(watch.full_summary(), "pHelmIvP(1/0),uLoadWatch(1/0)");
    changes = watch.on_clients("pHelmIvP,");
    EXPECT_THAT(names_of(changes.vanished), ElementsAre("uLoadWatch"));
    EXPECT_EQ(watch.summary(), "AWOL: uLoadWatch");
    EXPECT_EQ(watch.full_summary(), "pHelmIvP(1/0),uLoadWatch(1/1)");
    EXPECT_FALSE(watch.all_present());
    changes = watch.on_clients("pHelmIvP,uLoadWatch");
    EXPECT_THAT(names_of(changes.appeared), ElementsAre("uLoadWatch"));
    EXPECT_THAT(changes.vanished, IsEmpty());
    EXPECT_EQ(watch.full_summary(), "pHelmIvP(1/0),uLoadWatch(2/1)");
}

TEST(ProcessWatch, MissesProgramsOfTheLaunchListFromTheStart) {
    ProcessWatch watch({.own_name = "w", .launched = {"pA", "pB", "w"}});
    EXPECT_THAT(names_of(watch.on_clients("pA").vanished), ElementsAre("pB"));
    EXPECT_EQ(watch.summary(), "AWOL: pB");
    EXPECT_EQ(watch.full_summary(), "pA(1/0),pB(0/1)");
    EXPECT_THAT(watch.on_clients("pA").vanished, IsEmpty());
}

TEST(ProcessWatch, WatchesOnlyWhatIsConfigured) {
    ProcessWatch watch({.own_name = "w",
                        .watch_all = false,
                        .launched = {"pA"},
                        .watch = {"pB", "uX*:X_OK"},
                        .nowatch = {"uXMS*"}});
    watch.on_clients("pC,uXMS_1,uXY,poke_1");
    EXPECT_EQ(watch.full_summary(), "pA(0/1),pB(0/1),uXY(1/0)");
    EXPECT_EQ(watch.processes().back().variable, "X_OK");
}

TEST(ProcessWatch, IgnoresToolsThatComeAndGo) {
    ProcessWatch watch({.own_name = "w"});
    watch.on_clients("poke_4711,scope_1,poke_,poke_x,pokes_1,record");
    EXPECT_EQ(watch.full_summary(), "poke_(1/0),poke_x(1/0),pokes_1(1/0),record(1/0)");
}

/// In any sequence of lists, a watched program is missing exactly if the last list lacks it, and its counts
/// are those of its changes.
RC_GTEST_PROP(ProcessWatch, AgreesWithTheLastList, ()) {
    ProcessWatch watch({.own_name = "w"});
    std::vector<std::uint64_t> seen(4);
    std::vector<bool> present(4);
    for (int i = *rc::gen::inRange(1, 30); i > 0; --i) {
        std::string list;
        for (std::size_t name = 0; name < 4; ++name) {
            const bool is_there = *rc::gen::arbitrary<bool>();
            if (is_there) list += std::string(1, static_cast<char>('a' + name)) + ",";
            if (is_there && !present[name]) ++seen[name];
            present[name] = is_there;
        }
        watch.on_clients(list);
    }
    for (const auto& process : watch.processes()) {
        const auto name = static_cast<std::size_t>(process.name[0] - 'a');
        RC_ASSERT(process.present == present[name] && process.times_seen == seen[name]);
        RC_ASSERT(process.times_lost == seen[name] - (present[name] ? 1 : 0));
    }
}

}  // namespace
}  // namespace caribou::bus
