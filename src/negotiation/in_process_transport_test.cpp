#include "negotiation/in_process_transport.hpp"

#include "negotiation/transport_contract.hpp"

namespace caribou::negotiation {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(InProcess, TransportContract, InProcessRig);

TEST(InProcessTransport, HandsOverTheObjectItself) {
    InProcessRig rig;
    const auto sent = std::make_shared<const String>(String{"large"});
    struct Ear final : ReaderEvents {
        void on_sample(const Peer&, const Sample& sample) override {
            heard = object_of<String>(sample).value();
        }
        std::shared_ptr<const String> heard;
    } ear;
    WriterEar writer;
    const auto reader = rig.transport.subscribe(chatter, {}, ear);
    writer.speak(rig.transport, chatter);
    rig.settle();
    ASSERT_TRUE(writer.writer->write(make_sample(sent, {})).has_value());
    rig.settle();
    EXPECT_EQ(ear.heard, sent);
}

}  // namespace
}  // namespace caribou::negotiation
