#include "robot/local_control.hpp"

#include <gtest/gtest.h>

#include "link/link_console.hpp"
#include "loop/memory_network.hpp"
#include "loop/stream_witness.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

TEST(LocalControl, KeepsASessionThatWaitsForAnAnswerDuringAFloodOfConnections) {
    VirtualLoop loop;
    MemoryNetwork network(loop);
    LocalStrand strand(loop);
    RobotBuffers buffers(strand);
    std::vector<Request> requests;
    LocalControl local(strand, network, buffers, "rover",
                       [&](Request request) { requests.push_back(std::move(request)); });
    const Address at = Address::ip("127.0.0.1", 9000);
    ASSERT_TRUE(local.listen(at));
    std::optional<link::Answer> answer;
    const link::LinkConsole console(network, at, "caribou robot stop", link::Role::drive,
                                    {.id = {1}, .code = link::CommandCode::full_stop},
                                    [&](const Result<link::Answer>& heard) {
                                        ASSERT_TRUE(heard) << heard.error().message;
                                        answer = *heard;
                                    });
    loop.advance(10ms);
    ASSERT_EQ(requests.size(), 1U);
    std::vector<std::unique_ptr<StreamWitness>> flood;
    std::vector<std::unique_ptr<Stream>> streams;
    for (std::size_t i = 0; i < 4 * LocalControl::max_sessions; ++i) {
        flood.push_back(std::make_unique<StreamWitness>());
        streams.push_back(network.connect(at, *flood.back()));
        loop.advance(1ms);
    }
    requests[0].reply(link::Answer::done({1}, "stopped"));
    loop.advance(10ms);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->text, "stopped");
}

}  // namespace
}  // namespace caribou::robot
