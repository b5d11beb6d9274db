#include "sim/bus_tap.hpp"

namespace caribou::sim {

using Step = wire::PacketReader::Step;

void BusTap::on_read(StreamNumber stream, ByteView bytes) {
    audit_.on_heard(stream, clock_.now());
    const auto heard = conversations_[stream].said.hear(bytes, [&](const Step& step) {
        if (step.kind == Step::Kind::packet) audit_.on_packet_said(stream);
        if (step.kind == Step::Kind::message) audit_.on_said(stream, step.message, clock_.now());
    });
    if (!heard) audit_.note("a client sends malformed data: " + heard.error().message);
}

void BusTap::on_written(StreamNumber stream, ByteView bytes) {
    Conversation& conversation = conversations_[stream];
    const auto heard = conversation.told.hear(bytes, [&](const Step& step) {
        if (step.kind == Step::Kind::packet) conversation.messages_told = 0;
        if (step.kind == Step::Kind::packet_end) audit_.on_packet_told(stream, conversation.messages_told);
        if (step.kind != Step::Kind::message) return;
        ++conversation.messages_told;
        audit_.on_told(stream, step.message, clock_.now());
    });
    if (!heard) audit_.note("the broker sends malformed data: " + heard.error().message);
}

void BusTap::on_gone(StreamNumber stream) {
    conversations_.erase(stream);
    audit_.on_gone(stream);
}

}  // namespace caribou::sim
