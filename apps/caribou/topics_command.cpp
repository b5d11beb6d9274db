// `caribou topics`: lists topics, prints their messages, and explains their negotiation.

#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "adapters/dds/dds_graph.hpp"
#include "adapters/dds/dds_transport.hpp"
#include "base/suggestion.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/message_folders.hpp"
#include "kit/program/number_from.hpp"
#include "msg/message_types.hpp"
#include "msg/message_value.hpp"
#include "negotiation/bus_note.hpp"
#include "negotiation/bus_transport.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "negotiation/report.hpp"
#include "negotiation/topic_names.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::app {
namespace {

using negotiation::Topic;
using Topics = std::map<Topic, TopicUsers>;

constexpr negotiation::TopicQos any_writer{.reliability = negotiation::Reliability::best_effort};

/// The source of topics: the bus or DDS.
class Place {
public:
    virtual ~Place() = default;
    /// Returns the topics discovered so far.
    virtual Topics topics() = 0;
    /// Returns a sentence for each writer and reader of a topic that do not match.
    virtual std::vector<std::string> mismatches(const std::string& topic) = 0;
    virtual negotiation::Transport& transport() = 0;
    virtual EventLoop& loop() = 0;
};

class OnBus final : public Place {
public:
    static Result<std::unique_ptr<Place>> open(const BusOptions& options) {
        auto place = std::make_unique<OnBus>(options);
        if (auto connected = place->session_.connect(); !connected) return fail(std::move(connected.error()));
        // A writer is a variable `TOPIC#CLIENT.NUMBER`, which describes itself in its auxiliary text.
        auto& client = place->session_.client();
        client.on_other_mail([it = place.get()](const wire::MessageView& mail) { it->note(mail); });
        if (auto asked = client.register_wildcard("/*#*", "*"); !asked) return fail(std::move(asked.error()));
        if (auto started = place->transport_.start(); !started) return fail(std::move(started.error()));
        return place;
    }

    explicit OnBus(const BusOptions& options)
        : session_("topics", options),
          transport_(session_.loop(), network_,
                     {.name = fmt::format("{}_reader", session_.client().options().name),
                      .broker = session_.client().options().broker}) {}

    Topics topics() override {
        Topics found;
        for (const auto& [variable, type] : writers_)
            ++found[{variable.substr(0, variable.find('#')), type}].writers;
        return found;
    }
    std::vector<std::string> mismatches(const std::string&) override { return {}; }
    negotiation::Transport& transport() override { return transport_; }
    EventLoop& loop() override { return session_.event_loop(); }

private:
    void note(const wire::MessageView& mail) {
        const auto said = negotiation::parse_writer_note(mail.aux);
        if (!said) return;
        if (said->kind == negotiation::WriterNote::Kind::bye)
            writers_.erase(std::string(mail.key));
        else
            writers_[std::string(mail.key)] = said->type;
    }

    BusSession session_;
    ConsoleLog log_{Level::warning};
    SocketNetwork network_{session_.event_loop(), log_};
    negotiation::BusTransport transport_;
    std::map<std::string, std::string> writers_;  ///< variable and type
};

class OnDds final : public Place {
public:
    static Result<std::unique_ptr<Place>> open(const negotiation::DdsSettings& settings) {
        auto participant = DdsParticipant::open(settings);
        if (!participant) return fail(std::move(participant.error()));
        return std::make_unique<OnDds>(std::move(*participant));
    }
    explicit OnDds(std::unique_ptr<DdsParticipant> participant) : participant_(std::move(participant)) {
        loop_.stop_on_signals({SIGINT, SIGTERM});
    }

    Topics topics() override { return topics_on_dds(*participant_); }
    std::vector<std::string> mismatches(const std::string& topic) override {
        return mismatches_on_dds(*participant_, topic, transport_.ros_peers());
    }
    negotiation::Transport& transport() override { return transport_; }
    EventLoop& loop() override { return loop_; }

private:
    std::unique_ptr<DdsParticipant> participant_;
    EventLoop loop_;
    DdsTransport transport_{*participant_, loop_};
};

/// Forwards the messages of a topic.
struct Ear final : negotiation::ReaderEvents {
    void on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) override {
        heard(writer, sample);
    }
    std::move_only_function<void(const negotiation::Peer&, const negotiation::Sample&)> heard;
};

class TopicsCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser =
            program.add_subcommand("topics", "Inspect topics: their types, messages and negotiation");
        parser->require_subcommand(1);
        list_ = parser->add_subcommand("list", "List the topics with their types");
        explain_ =
            parser->add_subcommand("explain", "Explain what a negotiated topic publishes, for whom, and why");
        echo_ = parser->add_subcommand("echo", "Print the messages of a topic");
        hz_ = parser->add_subcommand("hz", "Print the messages and bytes per second of a topic");
        for (CLI::App* each : {explain_, echo_, hz_})
            each->add_option("TOPIC", topic_, "Name of the topic, such as /scan")->required();
        for (CLI::App* each : {echo_, hz_})
            each->add_option("--count", count_, "Exit after this many messages (hz: seconds)")
                ->check(whole_number_from(1, 1'000'000'000));
        echo_->add_option("--messages", message_folders_,
                          "Folder with descriptions of messages, PACKAGE/msg/NAME.msg");
        for (CLI::App* each : {list_, explain_, echo_, hz_}) add_options(*each);
        parser->footer("See docs/negotiation.md for negotiation, docs/ros-bridge.md for ROS 2.");
        return parser;
    }

    Exit run() override {
        auto place = open();
        if (!place) return complain(place.error().message);
        place_ = std::move(*place);
        // All peers answer within a fraction of this time.
        place_->loop().run_until([] { return false; }, from_seconds(search_));
        if (list_->parsed()) return list();
        return explain_->parsed() ? explain() : follow();
    }

private:
    void add_options(CLI::App& parser) {
        parser.add_option("--transport", over_, "bus or dds")->check(one_of({"bus", "dds"}));
        parser.add_option("--domain", dds_.domain, "dds: the domain, instead of ROS_DOMAIN_ID");
        parser.add_flag("--insecure-lan", dds_.insecure_lan,
                        "dds: also exchange messages with other machines, unencrypted");
        parser.add_option("--interface", dds_.interface, "dds: the network interface for that");
        parser.add_option("--peer", dds_.peers, "dds: address of a machine, where multicast does not work");
        parser.add_option("--search", search_, "Seconds to search for topics first")
            ->check(number_from(0, 60));
        add_bus_options(parser, bus_);
    }

    Result<std::unique_ptr<Place>> open() const {
        if (over_ == "bus") return OnBus::open(bus_);
        if (auto good = check_settings(dds_, "--insecure-lan"); !good) return fail(std::move(good.error()));
        return OnDds::open(dds_);
    }

    Exit list() const {
        const Topics topics = place_->topics();
        for (const auto& [topic, users] : topics) {
            const std::string readers = over_ == "dds" ? fmt::format(", {} readers", users.readers) : "";
            fmt::print("{:<32} {:<40} {} writers{}\n", topic.name, topic.type, users.writers, readers);
        }
        if (topics.empty()) fmt::print(stderr, "caribou topics: there are none on the {}\n", over_);
        return Exit::ok;
    }

    /// Returns the topic of that name, with its type.
    Result<Topic> find(const std::string& name) const {
        std::vector<std::string> names;
        for (const auto& [topic, users] : place_->topics()) {
            if (topic.name == name) return topic;
            names.push_back(topic.name);
        }
        return fail(Code::not_found,
                    fmt::format("there is no topic {} on the {}{}", name, over_, instead_of(name, names)));
    }

    Exit explain() {
        const Topic topic = negotiation::report_topic(topic_);
        std::optional<std::string> said;
        Ear ear;
        ear.heard = [&](const negotiation::Peer&, const negotiation::Sample& sample) {
            const auto* schema = msg::find_schema(topic.type);
            const auto message = msg::decode_value(*schema, sample.bytes());
            if (message) said = std::get<std::string>(message->list()[0].held);
        };
        const auto reader = place_->transport().subscribe(topic, negotiation::report_qos, ear);
        if (!reader) return complain(reader.error().message);
        place_->loop().run_until([&] { return said.has_value(); }, std::chrono::seconds(3));
        const auto mismatches = place_->mismatches(topic_);
        for (const std::string& mismatch : mismatches) fmt::print("{}\n", mismatch);
        if (!said) return explain_without_report(!mismatches.empty());
        const auto report = negotiation::report_from_json(*said);
        if (!report) return complain(report.error().message);
        fmt::print("{}", negotiation::to_text(*report));
        return Exit::ok;
    }

    /// Explains a topic whose publisher sends no report: one that is not of Caribou.
    Exit explain_without_report(bool has_mismatches) {
        const auto there = find(topic_);
        if (!there) return complain(there.error().message);
        if (*there != negotiation::result_topic(topic_)) {
            if (has_mismatches) return Exit::ok;
            return complain(fmt::format("{} is a plain topic: nothing is negotiated there", topic_));
        }
        fmt::print("{} is negotiated by a publisher that sends no report.\n", topic_);
        const std::string lists = negotiation::supported_types_topic(topic_).name;
        for (const auto& [topic, users] : place_->topics()) {
            if (!topic.name.starts_with(topic_ + "/") || topic.name == lists) continue;
            fmt::print("  {} ({}): {} writers, {} readers\n", topic.name, topic.type, users.writers,
                       users.readers);
        }
        explain_lists(lists);
        return Exit::ok;
    }

    /// Prints the lists of the subscriptions.
    void explain_lists(const std::string& name) {
        Ear ear;
        ear.heard = [](const negotiation::Peer& writer, const negotiation::Sample& sample) {
            const auto list = negotiation::object_of<negotiation::SupportedTypes>(sample);
            if (!list) return;
            fmt::print("  {} supports", writer.name);
            for (const auto& type : (*list)->supported_types)
                fmt::print(" {} {} (weight {})", type.ros_type_name, type.supported_type_name, type.weight);
            fmt::print("\n");
        };
        const auto reader = place_->transport().subscribe({name, negotiation::supported_types_topic("").type},
                                                          negotiation::supported_types_request, ear);
        if (reader) place_->loop().run_until([] { return false; }, std::chrono::seconds(1));
    }

    Exit follow() {
        const auto topic = find(topic_);
        if (!topic) return complain(topic.error().message);
        msg::MessageTypes types(message_folders_.empty() ? msg::MessageTypes::FindFile()
                                                         : open_message_folders(message_folders_));
        const auto known = types.find(topic->type);
        if (!known && known.error().code != Code::not_found) return complain(known.error().message);
        const msg::MessageSchema* schema = known.value_or(nullptr);
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
        Ear ear;
        ear.heard = [&](const negotiation::Peer& writer, const negotiation::Sample& sample) {
            ++messages;
            bytes += sample.bytes().size();
            if (echo_->parsed()) print(schema, *topic, writer, sample);
        };
        const auto reader = place_->transport().subscribe(*topic, any_writer, ear);
        if (!reader) return complain(reader.error().message);
        if (echo_->parsed()) {
            place_->loop().run_until([&] { return count_ && messages >= *count_; },
                                     std::chrono::hours(24 * 365));
            return Exit::ok;
        }
        return measure(messages, bytes);
    }

    Exit measure(std::uint64_t& messages, std::uint64_t& bytes) {
        std::uint64_t seconds = 0;
        Instant next = place_->loop().clock().now();
        const auto timer = place_->loop().make_timer([&] {
            fmt::print("{} messages/s, {} bytes/s\n", messages, bytes);
            std::fflush(stdout);
            messages = bytes = 0;
            if (count_ && ++seconds >= *count_) return place_->loop().stop();
            tick_->arm(next += std::chrono::seconds(1));
        });
        tick_ = timer.get();
        timer->arm(next += std::chrono::seconds(1));
        place_->loop().run();
        return Exit::ok;
    }

    static void print(const msg::MessageSchema* schema, const Topic& topic, const negotiation::Peer& writer,
                      const negotiation::Sample& sample) {
        if (schema == nullptr) {
            fmt::print("{} bytes of {} from {}\n---\n", sample.bytes().size(), topic.type, writer.name);
        } else if (const auto message = msg::decode_value(*schema, sample.bytes())) {
            fmt::print("{}---\n", msg::to_text(*schema, *message));
        } else {
            fmt::print(stderr, "caribou topics: from {}: {}\n", writer.name, message.error().message);
        }
        std::fflush(stdout);
    }

    static Exit complain(const std::string& what) {
        fmt::print(stderr, "caribou topics: {}\n", what);
        return Exit::failed;
    }

    CLI::App* list_ = nullptr;
    CLI::App* explain_ = nullptr;
    CLI::App* echo_ = nullptr;
    CLI::App* hz_ = nullptr;
    std::string topic_;
    std::vector<std::string> message_folders_;
    std::string over_ = "bus";
    std::optional<std::uint64_t> count_;
    double search_ = 0.5;
    negotiation::DdsSettings dds_{.name = "caribou topics"};
    BusOptions bus_;
    std::unique_ptr<Place> place_;
    Timer* tick_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_topics_command() { return std::make_unique<TopicsCommand>(); }

}  // namespace caribou::app
