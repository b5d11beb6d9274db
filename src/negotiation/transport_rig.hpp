#pragma once

// Requirements of the transport test suites, and recorders for both ends of a topic.

#include <memory>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "loop/virtual_loop.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::negotiation {

using msg::std_msgs::String;

/// A rig provides processes that share topics. To run the suites (transport_contract.hpp,
/// negotiation_contract.hpp) over your own transport, write a rig with these members and instantiate the
/// suites with it, as in_process_transport_test.cpp does.
struct InProcessRig {
    /// Returns the transport of the n-th process. It is created at the first call and exists until lose() or
    /// the end.
    Transport& process(std::size_t) { return transport; }
    Loop& loop() { return virtual_loop; }
    /// Runs the loop until the condition holds, or a time limit expires. Returns whether it holds.
    bool run_until(const std::move_only_function<bool() const>& condition) {
        return virtual_loop.run_until(condition, std::chrono::seconds(20));
    }
    /// Runs the loop until everything in transit has arrived. Anything that has not arrived by then never
    /// will.
    void settle() { virtual_loop.advance(std::chrono::seconds(1)); }
    // A rig for the suites of lost processes also has:
    // void lose(std::size_t n): ends the n-th process without notice. Everything created on its transport has
    // been destroyed already.

    VirtualLoop virtual_loop;
    InProcessTransport transport{virtual_loop};
};

inline Sample text_sample(std::string text, WallTime stamp = {}) {
    return make_sample(std::make_shared<const String>(String{std::move(text)}), stamp);
}

inline std::string text_in(const Sample& sample) {
    const auto object = object_of<String>(sample);
    return object ? (*object)->data : "undecodable: " + object.error().message;
}

/// A reader that records all of its events.
class ReaderEar final : public ReaderEvents {
public:
    void on_writer_joined(const Peer& writer) override {
        joined.push_back(writer);
        story.push_back("joined");
    }
    void on_sample(const Peer& writer, const Sample& sample) override {
        writers.push_back(writer.id);
        stamps.push_back(sample.stamp());
        texts.push_back(text_in(sample));
        story.push_back(texts.back());
        if (on_text) on_text(texts.back());
    }
    void on_writer_gone(const Peer& writer) override {
        gone.push_back(writer);
        story.push_back("gone");
    }

    void listen(Transport& transport, const Topic& topic, const TopicQos& qos = {}) {
        auto made = transport.subscribe(topic, qos, *this);
        check(made.has_value(), "the reader can be made");
        reader = std::move(*made);
    }

    std::vector<Peer> joined;
    std::vector<PeerId> writers;  ///< of each sample
    std::vector<WallTime> stamps;
    std::vector<std::string> texts;
    std::vector<Peer> gone;
    std::vector<std::string> story;  ///< all events in order
    std::move_only_function<void(const std::string&)> on_text;
    std::unique_ptr<Reader> reader;  ///< last member, so that it is destroyed first
};

/// A writer that records which readers join and leave.
class WriterEar final : public WriterEvents {
public:
    void on_reader_joined(const Peer& reader) override { joined.push_back(reader); }
    void on_reader_gone(const Peer& reader) override { gone.push_back(reader); }

    void speak(Transport& transport, const Topic& topic, const TopicQos& qos = {}) {
        auto made = transport.advertise(topic, qos, *this);
        check(made.has_value(), "the writer can be made");
        writer = std::move(*made);
    }
    void say(std::string text, WallTime stamp = {}) {
        check(writer->write(text_sample(std::move(text), stamp)).has_value(), "the sample is taken");
    }

    std::vector<Peer> joined;
    std::vector<Peer> gone;
    std::unique_ptr<Writer> writer;
};

}  // namespace caribou::negotiation
