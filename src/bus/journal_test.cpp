#include "bus/journal.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "bus/broker_server.hpp"
#include "bus/client.hpp"
#include "bus/journal_rig.hpp"
#include "loop/memory_network.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using State = JournalLife::State;

/// Small enough that tests see files being rewritten.
constexpr JournalOptions small{.compact_from = 2'000, .chunk_size = 300};

class JournalTest : public testing::Test {
protected:
    VirtualLoop loop_;
    MemoryDisk disk_;
};

TEST_F(JournalTest, BringsBackEverythingThatIsKnownOfAValue) {
    std::optional<wire::Message> before;
    {
        JournalLife life(loop_, disk_);
        life.write("A", "one");
        life.write("A", "two");
        loop_.advance(100ms);
        before = wire::own(life.exchange.find("A")->value());
        disk_.kill();
    }
    JournalLife life(loop_, disk_);
    const Variable* a = life.exchange.find("A");
    ASSERT_TRUE(a && a->is_written());
    EXPECT_EQ(wire::own(a->value()), before);
    EXPECT_EQ(a->type, wire::DataType::string);
    EXPECT_EQ(a->writes, 2u);
    EXPECT_EQ(a->written, 1000);
    EXPECT_TRUE(life.log.mentions("1 values restored"));
}

TEST_F(JournalTest, WritesAVariableOnceABatchHoweverOftenItChanges) {
    JournalLife life(loop_, disk_);
    life.write("A", "0");
    loop_.advance(1s);
    const std::size_t before = life.journal.stats().bytes;
    for (int i = 0; i < 1000; ++i) life.write("A", std::to_string(i % 10));
    loop_.advance(1s);
    EXPECT_LT(life.journal.stats().bytes - before, 300u);
}

TEST_F(JournalTest, KeepsTheBrokersOwnVariablesOut) {
    JournalLife life(loop_, disk_);
    ASSERT_TRUE(life.exchange.publish({.type = wire::MessageType::notify, .key = "DB_TIME", .value = 1},
                                      {loop_.clock().now(), loop_.clock().now(), 1}));
    life.write("A", "x");
    loop_.advance(1s);
    disk_.kill();
    EXPECT_EQ(JournalLife(loop_, disk_).state(), (State{{"A", "x"}}));
}

TEST_F(JournalTest, ForgetsWhatWasCleared) {
    JournalLife life(loop_, disk_);
    life.write("A", "x");
    loop_.advance(1s);
    life.exchange.clear();
    life.write("B", "y");
    loop_.advance(1s);
    disk_.kill();
    EXPECT_EQ(JournalLife(loop_, disk_).state(), (State{{"B", "y"}}));
}

TEST_F(JournalTest, MakesTheFileAnewWhenItHasGrown) {
    JournalLife life(loop_, disk_, small);
    for (int i = 0; i < 200; ++i) {
        life.write("V" + std::to_string(i % 10), std::to_string(i));
        loop_.advance(60ms);
    }
    EXPECT_GT(life.journal.stats().compactions, 2u);
    EXPECT_EQ(disk_.list()->size(), 1u);
    EXPECT_LT(disk_.used(), 10'000u);
    EXPECT_EQ(life.journal.stats().file_size + wire::journal_header().size(), disk_.used());
    const State before = life.state();
    disk_.kill();
    EXPECT_EQ(JournalLife(loop_, disk_).state(), before);
}

TEST_F(JournalTest, PausesOnAFullDiskWithOneAlarmAndGoesOnByItself) {
    JournalLife life(loop_, disk_);
    life.write("A", "before");
    loop_.advance(1s);
    disk_.set_capacity(disk_.used() + 10);
    for (int i = 0; i < 100; ++i) {
        life.write("A", "full" + std::to_string(i));
        life.write("B", "new");
        loop_.advance(1s);
    }
    EXPECT_THAT(life.notices, ElementsAre(StartsWith("journal=paused,reason=no space left")));
    EXPECT_TRUE(life.journal.stats().paused);
    EXPECT_EQ(std::ranges::count(life.log.lines, Level::error, &MemoryLog::Line::level), 1);
    disk_.set_capacity(1_MiB);
    loop_.advance(40s);
    EXPECT_FALSE(life.journal.stats().paused);
    ASSERT_EQ(life.notices.size(), 2u);
    EXPECT_EQ(life.notices[1], "journal=resumed");
    life.write("C", "after");
    loop_.advance(1s);
    disk_.kill();
    EXPECT_EQ(JournalLife(loop_, disk_).state(), (State{{"A", "full99"}, {"B", "new"}, {"C", "after"}}));
}

TEST_F(JournalTest, RecoversFromADiskThatItFilledItselfWhenValuesShrink) {
    disk_.set_capacity(100_KiB);
    JournalLife life(loop_, disk_);
    life.write("A", std::string(20_KiB, 'a'));
    life.write("B", "small");
    loop_.advance(1s);
    life.write("A", std::string(200_KiB, 'b'));
    loop_.advance(1s);
    ASSERT_TRUE(life.journal.stats().paused);
    EXPECT_LT(disk_.used(), 30_KiB) << "the unfinished batch is gone";
    life.write("A", std::string(30_KiB, 'c'));
    loop_.advance(40s);
    EXPECT_FALSE(life.journal.stats().paused);
    disk_.kill();
    EXPECT_EQ(JournalLife(loop_, disk_).state(), (State{{"A", std::string(30_KiB, 'c')}, {"B", "small"}}));
}

TEST_F(JournalTest, SaysWhereTheFileIsDamagedAndMakesItAnew) {
    {
        JournalLife life(loop_, disk_);
        for (const auto* key : {"A", "B", "C"}) {
            life.write(key, "x");
            loop_.advance(1s);
        }
        disk_.kill();
    }
    Bytes& file = disk_.bytes(disk_.list()->front());
    file[text_of(file).find(std::string_view("\1\0\0\0B", 5))] ^= std::byte{4};
    JournalLife life(loop_, disk_);
    EXPECT_TRUE(life.log.mentions("are damaged"));
    EXPECT_EQ(life.state(), (State{{"A", "x"}, {"C", "x"}}));
    loop_.advance(1s);
    disk_.kill();
    JournalLife next(loop_, disk_);
    EXPECT_FALSE(next.log.mentions("are damaged"));
    EXPECT_EQ(next.state(), life.state());
}

TEST_F(JournalTest, TakesTheOlderFileIfTheNewestHoldsNothing) {
    {
        JournalLife life(loop_, disk_);
        life.write("A", "x");
        loop_.advance(1s);
        disk_.kill();
    }
    ASSERT_TRUE(disk_.create("values-9.journal"));
    ASSERT_TRUE(disk_.create("values-x.journal"));
    JournalLife life(loop_, disk_);
    EXPECT_EQ(life.state(), (State{{"A", "x"}}));
}

TEST_F(JournalTest, ReportsAFileThatWasEmptied) {
    ASSERT_TRUE(disk_.create("values-1.journal"));
    JournalLife life(loop_, disk_);
    EXPECT_TRUE(life.opened());
    EXPECT_TRUE(life.log.mentions("values-1.journal is empty (0 bytes)"));
}

TEST_F(JournalTest, RefusesAFileOfAnotherVersion) {
    ASSERT_TRUE((*disk_.create("values-1.journal"))->append(bytes_of("caribou journal2 and more")));
    JournalLife life(loop_, disk_);
    EXPECT_FALSE(life.opened());
}

TEST_F(JournalTest, HasTheLastValuesWrittenAtTheEnd) {
    JournalLife life(loop_, disk_);
    loop_.advance(1s);
    life.write("A", "last");
    life.journal.finish();
    loop_.run_ready();
    disk_.kill();
    EXPECT_EQ(JournalLife(loop_, disk_).state(), (State{{"A", "last"}}));
}

/// For any history and a power failure at any point: the restored values are those of a single moment, not
/// older than promised.
RC_GTEST_PROP(JournalProperty, LosesNoMoreThanTheLastTenthOfASecond, (std::uint64_t seed)) {
    Random random(seed);
    VirtualLoop loop;
    MemoryDisk disk;
    struct Past {
        Instant when;
        State state;
    };
    std::vector<Past> past{{Instant{}, {}}};
    for (int lives = 0; lives < 3; ++lives) {
        JournalLife life(loop, disk, small, Duration(random.below(20'000'000)));
        RC_ASSERT(life.opened());
        const auto returned = std::ranges::find(past, life.state(), &Past::state);
        RC_ASSERT(returned != past.end());
        RC_ASSERT(!life.log.mentions("damaged"));
        past.assign({{loop.clock().now(), life.state()}});
        disk.fail_after(random.below(80));
        while (!life.writer.failed) {
            if (random.chance(0.02)) {
                life.exchange.clear();
            } else {
                std::string value = std::to_string(random.below(1'000'000));
                value.resize(value.size() + random.below(400), '.');
                life.write("V" + std::to_string(random.below(12)), value);
            }
            past.push_back({loop.clock().now(), life.state()});
            loop.advance(Duration(random.below(10'000'000)));
        }
        disk.cut_power(random);
        // The last state that must be durable, and all later ones.
        const Instant promised = loop.clock().now() - 100ms;
        while (past.size() > 1 && past[1].when <= promised) past.erase(past.begin());
    }
}

/// A broker whose writer takes one second, and two clients.
class DurableBrokerTest : public JournalTest {
protected:
    void SetUp() override {
        kept_ = *files_.open(log_);
        server_.keep_values(writer_, {.durability = Durability::always}, kept_.contents);
        ASSERT_TRUE(server_.listen(Address::ip("127.0.0.1", 9000)));
        ASSERT_TRUE(writer_client_.start() && reader_.start());
        std::ignore = reader_.register_variable("X");
        loop_.advance(5s);
        ASSERT_TRUE(writer_client_.connected() && reader_.connected());
    }

    MemoryLog log_;
    MemoryNetwork network_{loop_};
    JournalFiles files_{disk_};
    JournalFiles::Kept kept_;
    SlowWriter writer_{loop_, files_, 1s};
    BrokerServer server_{loop_, network_, {}, log_};
    Client writer_client_{loop_, network_, {.name = "writer"}};
    Client reader_{loop_, network_, {.name = "reader"}};
};

TEST_F(DurableBrokerTest, TellsNothingBeforeItIsDurable) {
    ASSERT_TRUE(writer_client_.notify("X", 1.0));
    loop_.advance(900ms);
    ASSERT_TRUE(writer_client_.notify("X", 2.0));
    EXPECT_THAT(reader_.fetch(), IsEmpty());
    loop_.advance(200ms);
    auto mail = reader_.fetch();
    ASSERT_EQ(mail.size(), 1u);
    EXPECT_EQ(mail[0].value, 1.0);
    loop_.advance(1s);
    mail = reader_.fetch();
    ASSERT_EQ(mail.size(), 1u);
    EXPECT_EQ(mail[0].value, 2.0);
}

TEST_F(DurableBrokerTest, ServesOnWithoutAPromiseWhileTheDiskIsFull) {
    disk_.set_capacity(disk_.used());
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(writer_client_.notify("X", i));
        loop_.advance(1s);
    }
    EXPECT_EQ(reader_.fetch().size(), 30u);
    EXPECT_TRUE(writer_client_.connected() && reader_.connected());
    EXPECT_THAT(server_.broker().exchange().find("DB_NOTICE")->value().payload, HasSubstr("journal=paused"));
    disk_.set_capacity(1_MiB);
    loop_.advance(60s);
    EXPECT_THAT(server_.broker().exchange().find("DB_NOTICE")->value().payload, HasSubstr("journal=resumed"));
}

}  // namespace
}  // namespace caribou::bus
