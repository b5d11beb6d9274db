// Client and variable names with arbitrary bytes.

#include <gtest/gtest.h>

#include "bus/broker_rig.hpp"

namespace caribou::bus {
namespace {

TEST(Broker, KeepsSeparatorsOfNamesOutOfItsLists) {
    BrokerRig rig;
    rig.join("a,b");
    rig.join("c=d&e");
    rig.jump(std::chrono::seconds(3));
    const auto text = [&](const char* name) { return rig.broker.exchange().find(name)->value().payload; };
    EXPECT_EQ(text("DB_CLIENTS"), "c=d&e,a_b,");
    EXPECT_TRUE(text("DB_QOS").contains("a_b=")) << text("DB_QOS");
    EXPECT_TRUE(text("DB_RWSUMMARY").contains("c_d_e=")) << text("DB_RWSUMMARY");
    EXPECT_NE(rig.broker.find_client("a,b"), nullptr) << "the client keeps its name";
}

TEST(Broker, TakesNamesOfFourKibibytes) {
    BrokerRig rig;
    const ConnectionId id = rig.join(std::string(4096, 'n'));
    rig.send(id, BrokerRig::number(std::string(4096, 'V'), 1));
    EXPECT_NE(rig.broker.exchange().find(std::string(4096, 'V')), nullptr);
    rig.send(id, BrokerRig::number(std::string(4097, 'V'), 1));
    EXPECT_EQ(rig.broker.exchange().find(std::string(4097, 'V')), nullptr);
}

}  // namespace
}  // namespace caribou::bus
