// A broker with TLS, and programs that reach it through `caribou tunnel`.

#include <csignal>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/keys/key_folder.hpp"
#include "base/log.hpp"
#include "child/program.hpp"
#include "link/paired_key.hpp"
#include "platform/event_loop.hpp"
#include "platform/random_bytes.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

link::PairedKey new_key(const std::string& name, link::Role role = link::Role::drive) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    fill_with_random_bytes(bytes);
    return {name, role, "2026-01-31T12:00:00Z", link::SecretKey(bytes)};
}

/// Returns the text after the last `at ` of a line.
std::string address_in(const std::optional<std::string>& line) {
    return line ? line->substr(line->rfind(' ') + 1) : "";
}
std::string port_in(const std::string& address) { return address.substr(address.rfind(':') + 1); }

/// A stream that sends a few bytes, if any, and then nothing.
class Loiterer final : public StreamEvents {
public:
    Loiterer(Network& network, const Address& to, std::string_view words)
        : words_(words), stream_(network.connect(to, *this)) {}
    bool stands = false;

private:
    void on_open() override {
        stands = true;
        const ByteView piece = bytes_of(words_);
        static_cast<void>(stream_->write({&piece, 1}));
    }
    void on_readable() override { stream_->set_reading(false); }
    void on_writable() override {}

    std::string_view words_;
    std::unique_ptr<Stream> stream_;
};

class TunnelCli : public testing::Test {
protected:
    TunnelCli() {
        EXPECT_TRUE(KeyFolder(scratch / "vehicle").save(paired).has_value());
        EXPECT_TRUE(KeyFolder(scratch / "shore").save(paired).has_value());
        EXPECT_TRUE(KeyFolder(scratch / "shore").save(new_key("stranger")).has_value());
        db.emplace(command({"db", "--port", "0", "--tls", "127.0.0.1:0", "--keys", scratch / "vehicle"}));
        plain = address_in(db->read_line(limit));
        tls = address_in(db->read_line(limit));
    }

    Words tunnel(const std::string& key) const {
        return command({"tunnel", "--to", tls, "--key", key, "--keys", scratch / "shore", "--port", "0"});
    }
    static ChildProcess::End poke(const std::string& port) {
        return run({"poke", "DEPTH=12.5", "--port", port, "--wait", "20"});
    }
    ChildProcess::End fetch() const {
        return run({"watch", "DEPTH", "--count", "1", "--port", port_in(plain)});
    }

    link::PairedKey paired = new_key("bot7");
    TemporaryFolder scratch;
    std::optional<ChildProcess> db;
    std::string plain;
    std::string tls;
};

TEST_F(TunnelCli, CarriesAnOrdinaryClient) {
    ChildProcess shore(tunnel("bot7"));
    const auto line = shore.read_line(limit);
    ASSERT_THAT(line.value_or(""), StartsWith("caribou tunnel: to " + tls + " at 127.0.0.1:"));
    const auto poked = poke(port_in(address_in(line)));
    EXPECT_EQ(poked.code, 0) << poked.err;
    EXPECT_THAT(fetch().out, HasSubstr("12.5"));
    shore.signal(SIGTERM);
    EXPECT_EQ(end_of(shore).code, 0);
}

TEST_F(TunnelCli, IsRefusedWithAKeyThatTheBrokerDoesNotKnow) {
    const auto end = [&] {
        ChildProcess shore(tunnel("stranger"));
        return end_of(shore);
    }();
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err,
                HasSubstr("caribou tunnel: error: " + tls + ": the other side does not have this key"));
    db->signal(SIGTERM);
    const auto broker = end_of(*db);
    EXPECT_THAT(broker.err, HasSubstr("was refused"));
    EXPECT_THAT(broker.err, HasSubstr("no key with the id"));
}

TEST_F(TunnelCli, IsRefusedWithAKeyThatMayOnlyObserve) {
    const auto watcher = new_key("watcher", link::Role::observe);
    ASSERT_TRUE(KeyFolder(scratch / "vehicle").save(watcher).has_value());
    ASSERT_TRUE(KeyFolder(scratch / "shore").save(watcher).has_value());
    ChildProcess shore(tunnel("watcher"));
    EXPECT_EQ(end_of(shore).code, 1);
    db->signal(SIGTERM);
    EXPECT_THAT(end_of(*db).err, HasSubstr("watcher may only observe, and every client of a bus can write"));
}

TEST_F(TunnelCli, SaysThatTheOtherSideDoesNotSpeakTls) {
    const auto end = run({"tunnel", "--to", plain, "--key", "bot7", "--keys", scratch / "shore"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, StartsWith("caribou tunnel: "));
}

TEST_F(TunnelCli, SaysWhichKeysThereAre) {
    const auto end = run({"tunnel", "--to", tls, "--key", "bot", "--keys", scratch / "shore"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("no key for `bot` in"));
}

TEST_F(TunnelCli, LetsInAndLocksOutWithoutARestart) {
    KeyFolder(scratch / "vehicle").remove("bot7").value();
    {
        ChildProcess shore(tunnel("bot7"));
        EXPECT_EQ(end_of(shore).code, 1);
    }
    KeyFolder(scratch / "vehicle").save(paired).value();
    ChildProcess shore(tunnel("bot7"));
    EXPECT_THAT(shore.read_line(limit).value_or(""), HasSubstr(" at 127.0.0.1:"));
}

TEST_F(TunnelCli, WorksWhileManyOthersLoiterAtTheDoor) {
    EventLoop loop;
    NullLog log;
    SocketNetwork network(loop, log);
    std::vector<std::unique_ptr<Loiterer>> crowd;
    for (int i = 0; i < 300; ++i)
        crowd.push_back(std::make_unique<Loiterer>(network, *Address::parse(tls),
                                                   i % 2 == 0 ? "" : "GET / HTTP/1.1\r\n"));
    const auto all_stand = [&] {
        return std::ranges::all_of(crowd, [](const auto& one) { return one->stands; });
    };
    ASSERT_TRUE(loop.run_until(all_stand, limit));
    ChildProcess shore(tunnel("bot7"));
    const auto line = shore.read_line(limit);
    ASSERT_TRUE(line.has_value());
    EXPECT_EQ(poke(port_in(address_in(line))).code, 0);
    EXPECT_EQ(poke(port_in(plain)).code, 0) << "nor are those disturbed who come plainly";
}

TEST(DbTls, RefusesAnAddressThatIsNone) {
    const auto end = run({"db", "--port", "0", "--tls", "here"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, HasSubstr("--tls is `here`; expected PORT or ADDRESS:PORT"));
}

}  // namespace
}  // namespace caribou::tests
