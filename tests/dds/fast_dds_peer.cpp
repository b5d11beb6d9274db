// A peer on another DDS implementation: Fast DDS, with hand-written types on its CDR. It takes part in a
// negotiation like a ROS 2 node: publishes on rt/base/_supported_types that it accepts std_msgs/msg/String as
// `a`, prints what it receives on rt/base, reads the negotiated topic and prints each text.
//
// With `publish` it is the other side, like a publisher of the original: it answers each list on
// rt/base/_supported_types at once with a result on rt/base, for the readers that it knows by then, and
// publishes nothing.
//
// With `echo` it writes each sample of the topic FROM unchanged to the topic TO, both of the DDS type TYPE.
//
// usage: fast_dds_peer DOMAIN [publish | echo TYPE FROM TO]

#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#if __has_include(<fastdds/rtps/transport/UDPv4TransportDescriptor.hpp>)
#include "fast_dds_3.hpp"
#else
#include "fast_dds_2.hpp"
#endif

namespace {

using eprosima::fastcdr::Cdr;

struct Text {
    std::string data;
    void write(Cdr& cdr) const { cdr << data; }
    void read(Cdr& cdr) { cdr >> data; }
    static constexpr const char* name = "std_msgs::msg::dds_::String_";
};

struct SupportedTypes {
    struct One {
        std::string ros_type_name, supported_type_name;
        double weight = 0;
    };
    std::vector<One> types;
    void write(Cdr& cdr) const {
        cdr << static_cast<std::uint32_t>(types.size());
        for (const One& one : types) cdr << one.ros_type_name << one.supported_type_name << one.weight;
    }
    void read(Cdr& cdr) {
        std::uint32_t count = 0;
        cdr >> count;
        types.resize(count);
        for (One& one : types) cdr >> one.ros_type_name >> one.supported_type_name >> one.weight;
    }
    static constexpr const char* name = "negotiated_interfaces::msg::dds_::SupportedTypes_";
};

struct TopicsInfo {
    struct One {
        std::string ros_type_name, supported_type_name, topic_name;
    };
    bool success = false;
    std::vector<One> topics;
    void write(Cdr& cdr) const {
        cdr << success << static_cast<std::uint32_t>(topics.size());
        for (const One& one : topics) cdr << one.ros_type_name << one.supported_type_name << one.topic_name;
    }
    void read(Cdr& cdr) {
        std::uint32_t count = 0;
        cdr >> success >> count;
        topics.resize(count);
        for (One& one : topics) cdr >> one.ros_type_name >> one.supported_type_name >> one.topic_name;
    }
    static constexpr const char* name = "negotiated_interfaces::msg::dds_::NegotiatedTopicsInfo_";
};

template <class T>
void register_type(fast::DomainParticipant* participant) {
    fast::TypeSupport type;
    type.reset(new Type<T>);
    participant->register_type(type);
}

fast::DataReaderQos reader_qos() {
    fast::DataReaderQos qos;
    qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    qos.history().depth = 10;
    return qos;
}

/// Prints the result of the negotiation, and returns its topic.
std::string print_results(fast::DataReader* reader) {
    std::string topic;
    TopicsInfo info;
    fast::SampleInfo about;
    while (is_ok(reader->take_next_sample(&info, &about))) {
        if (!about.valid_data) continue;
        std::printf("result %d", info.success ? 1 : 0);
        for (const auto& one : info.topics)
            std::printf(" %s %s %s", one.ros_type_name.c_str(), one.supported_type_name.c_str(),
                        one.topic_name.c_str());
        std::printf("\n");
        if (!info.topics.empty()) topic = info.topics[0].topic_name;
    }
    return topic;
}

void print_texts(fast::DataReader* reader) {
    Text text;
    fast::SampleInfo about;
    while (is_ok(reader->take_next_sample(&text, &about)))
        if (about.valid_data) std::printf("text %s\n", text.data.c_str());
}

fast::DataReader* make_reader(fast::DomainParticipant* participant, fast::Subscriber* subscriber,
                              fast::WaitSet& waiter, const std::string& topic, const char* type) {
    auto* made = subscriber->create_datareader(
        participant->create_topic("rt" + topic, type, fast::TOPIC_QOS_DEFAULT), reader_qos());
    made->get_statuscondition().set_enabled_statuses(fast::StatusMask::data_available());
    waiter.attach_condition(made->get_statuscondition());
    return made;
}

fast::DomainParticipantQos loopback_only(std::uint32_t domain) {
    fast::DomainParticipantQos qos;
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.emplace_back("127.0.0.1");
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(udp);
    for (std::uint32_t participant = 0; participant < 10; ++participant) {
        rtps::Locator_t peer;
        rtps::IPLocator::setIPv4(peer, 127, 0, 0, 1);
        peer.port = 7400 + 250 * domain + 10 + 2 * participant;
        qos.wire_protocol().builtin.initialPeersList.push_back(peer);
    }
    qos.wire_protocol().builtin.discovery_config.leaseDuration = FastDuration(3, 0);
    qos.wire_protocol().builtin.discovery_config.leaseDuration_announcementperiod = FastDuration(1, 0);
    const std::string enclave = "enclave=/;";
    qos.user_data().data_vec(std::vector<rtps::octet>(enclave.begin(), enclave.end()));
    return qos;
}

/// Answers lists until it is killed.
void publish(fast::DomainParticipant* participant, fast::Publisher* publisher, fast::Subscriber* subscriber) {
    fast::DataWriterQos reliable;
    reliable.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    reliable.durability().kind = fast::VOLATILE_DURABILITY_QOS;
    reliable.history().depth = 10;
    auto* results = publisher->create_datawriter(
        participant->create_topic("rt/base", TopicsInfo::name, fast::TOPIC_QOS_DEFAULT), reliable);
    fast::DataReaderQos keeping = reader_qos();
    keeping.durability().kind = fast::TRANSIENT_LOCAL_DURABILITY_QOS;
    keeping.history().depth = 100;
    auto* lists = subscriber->create_datareader(
        participant->create_topic("rt/base/_supported_types", SupportedTypes::name, fast::TOPIC_QOS_DEFAULT),
        keeping);
    lists->get_statuscondition().set_enabled_statuses(fast::StatusMask::data_available());
    fast::WaitSet waiter;
    waiter.attach_condition(lists->get_statuscondition());
    std::printf("ready\n");
    std::fflush(stdout);
    for (;;) {
        fast::ConditionSeq awake;
        waiter.wait(awake, fast_infinite);
        SupportedTypes list;
        fast::SampleInfo about;
        while (is_ok(lists->take_next_sample(&list, &about))) {
            if (!about.valid_data) continue;
            TopicsInfo info{true, {{"std_msgs/msg/String", "a", "/base/a"}}};
            results->write(&info);
        }
    }
}

/// Echoes until it is killed.
void echo(fast::DomainParticipant* participant, const std::string& type, const std::string& from,
          const std::string& to) {
    fast::TypeSupport support;
    support.reset(new AnyType(type));
    participant->register_type(support);
    const auto topic = [&](const std::string& name) {
        return participant->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
    };
    fast::DataWriterQos reliable;
    reliable.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    reliable.durability().kind = fast::VOLATILE_DURABILITY_QOS;
    auto* writer =
        participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT)->create_datawriter(topic(to), reliable);
    auto* reader = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT)
                       ->create_datareader(topic(from), reader_qos());
    reader->get_statuscondition().set_enabled_statuses(fast::StatusMask::data_available());
    fast::WaitSet waiter;
    waiter.attach_condition(reader->get_statuscondition());
    std::printf("ready\n");
    std::fflush(stdout);
    for (;;) {
        fast::ConditionSeq awake;
        waiter.wait(awake, fast_infinite);
        AnyBytes sample;
        fast::SampleInfo about;
        while (is_ok(reader->take_next_sample(&sample, &about)))
            if (about.valid_data) writer->write(&sample);
    }
}

}  // namespace

int main(int count, char** arguments) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const bool is_publisher = count == 3 && std::string(arguments[2]) == "publish";
    const bool is_echo = count == 6 && std::string(arguments[2]) == "echo";
    if (count != 2 && !is_publisher && !is_echo) return 2;
    const auto domain = static_cast<std::uint32_t>(std::atoi(arguments[1]));
    auto* participant =
        fast::DomainParticipantFactory::get_instance()->create_participant(domain, loopback_only(domain));
    if (is_echo) echo(participant, arguments[3], arguments[4], arguments[5]);
    register_type<Text>(participant);
    register_type<SupportedTypes>(participant);
    register_type<TopicsInfo>(participant);
    auto* subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
    auto* publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    if (is_publisher) publish(participant, publisher, subscriber);
    fast::WaitSet waiter;
    auto* results = make_reader(participant, subscriber, waiter, "/base", TopicsInfo::name);
    auto* wishes =
        participant->create_topic("rt/base/_supported_types", SupportedTypes::name, fast::TOPIC_QOS_DEFAULT);
    fast::DataWriterQos qos;
    qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = fast::TRANSIENT_LOCAL_DURABILITY_QOS;
    qos.history().depth = 100;
    auto* writer = publisher->create_datawriter(wishes, qos);
    SupportedTypes supported{{{"std_msgs/msg/String", "a", 1.5}}};
    writer->write(&supported);
    std::printf("ready\n");
    std::fflush(stdout);
    fast::DataReader* texts = nullptr;
    for (;;) {
        fast::ConditionSeq awake;
        waiter.wait(awake, fast_infinite);
        const std::string topic = print_results(results);
        if (texts != nullptr) print_texts(texts);
        std::fflush(stdout);
        if (texts == nullptr && !topic.empty())
            texts = make_reader(participant, subscriber, waiter, topic, Text::name);
    }
}
