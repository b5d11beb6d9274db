// A peer that knows nothing of Caribou: CycloneDDS with the types that its own idlc has made. Reads messages
// of one type from rt/to_echo (or FROM) into C structs, and writes the structs to rt/from_echo (or TO), until
// it is ended. `kept`: also those that were written before it came.
// Prints `ready`, and how many writers and readers it has when that changes. Goes with who started it.

#include <dds/dds.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <geometry_msgs/Twist.h>
#include <nav_msgs/OccupancyGrid.h>
#include <nav_msgs/Odometry.h>
#include <negotiated_interfaces/NegotiatedTopicsInfo.h>
#include <negotiated_interfaces/SupportedTypes.h>
#include <rmw_dds_common/ParticipantEntitiesInfo.h>
#include <rmw_dds_common_humble/ParticipantEntitiesInfo.h>
#include <rosgraph_msgs/Clock.h>
#include <sensor_msgs/BatteryState.h>
#include <sensor_msgs/LaserScan.h>
#include <sensor_msgs/Range.h>
#include <std_msgs/Bool.h>
#include <std_msgs/Empty.h>
#include <std_msgs/Float64.h>
#include <std_msgs/Int64.h>
#include <std_msgs/String.h>
#include <std_msgs/UInt8MultiArray.h>
#include <tf2_msgs/TFMessage.h>

namespace {

struct Known {
    std::string_view name;
    const dds_topic_descriptor_t* descriptor;
};

#define KNOWN(package, type) {#package "/msg/" #type, &package##_msg_dds__##type##__desc}
const Known known[] = {
    KNOWN(geometry_msgs, Twist),
    KNOWN(nav_msgs, OccupancyGrid),
    KNOWN(nav_msgs, Odometry),
    KNOWN(negotiated_interfaces, NegotiatedTopicsInfo),
    KNOWN(negotiated_interfaces, SupportedTypes),
    KNOWN(rmw_dds_common, ParticipantEntitiesInfo),
    KNOWN(rmw_dds_common_humble, ParticipantEntitiesInfo),
    KNOWN(rosgraph_msgs, Clock),
    KNOWN(sensor_msgs, BatteryState),
    KNOWN(sensor_msgs, LaserScan),
    KNOWN(sensor_msgs, Range),
    KNOWN(std_msgs, Bool),
    KNOWN(std_msgs, Empty),
    KNOWN(std_msgs, Float64),
    KNOWN(std_msgs, Int64),
    KNOWN(std_msgs, String),
    KNOWN(std_msgs, UInt8MultiArray),
    KNOWN(tf2_msgs, TFMessage),
};
#undef KNOWN

dds_entity_t checked(dds_entity_t entity, const char* what) {
    if (entity >= 0) return entity;
    std::fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
    std::exit(1);
}

void on_writers_changed(dds_entity_t, dds_subscription_matched_status_t status, void*) {
    std::printf("%d writers\n", static_cast<int>(status.current_count));
    std::fflush(stdout);
}
void on_readers_changed(dds_entity_t, dds_publication_matched_status_t status, void*) {
    std::printf("%d readers\n", static_cast<int>(status.current_count));
    std::fflush(stdout);
}

void echo(dds_entity_t reader, dds_entity_t writer, dds_entity_t waiter) {
    for (;;) {
        checked(dds_waitset_wait(waiter, nullptr, 0, DDS_INFINITY), "wait");
        for (;;) {
            void* sample = nullptr;
            dds_sample_info_t info;
            if (checked(dds_take(reader, &sample, &info, 1, 1), "take") == 0) break;
            if (info.valid_data) checked(dds_write(writer, sample), "write");
            dds_return_loan(reader, &sample, 1);
        }
    }
}

}  // namespace

int main(int count, char** arguments) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::vector<std::string> words(arguments, arguments + count);
    const std::string domain = words.size() > 1 ? words[1] : "";
    const Known* type = nullptr;
    for (const Known& each : known)
        if (words.size() >= 3 && words.size() != 4 && each.name == words[2]) type = &each;
    if (type == nullptr) {
        std::fprintf(stderr, "usage: cyclone_echo DOMAIN TYPE [FROM TO [kept]]\n");
        return 2;
    }
    checked(dds_create_domain(
                1, ("<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast><Interfaces>"
                    "<NetworkInterface name=\"lo\"/></Interfaces></General><Discovery>"
                    "<ExternalDomainId>" +
                    domain +
                    "</ExternalDomainId><ParticipantIndex>auto</ParticipantIndex>"
                    "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>"
                    "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>")
                       .c_str()),
            "domain");
    const dds_entity_t participant = checked(dds_create_participant(1, nullptr, nullptr), "participant");

    // As the ROS 2 layers ask for it: reliable, volatile, and version 1 of the encoding.
    dds_qos_t* qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
    dds_data_representation_id_t representation = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qset_data_representation(qos, 1, &representation);
    const auto topic = [&](std::size_t word, const char* usual) {
        const char* const name = words.size() > word ? words[word].c_str() : usual;
        return checked(dds_create_topic(participant, type->descriptor, name, qos, nullptr), "topic");
    };
    const dds_entity_t from = topic(3, "rt/to_echo");
    const dds_entity_t to = topic(4, "rt/from_echo");
    dds_listener_t* listener = dds_create_listener(nullptr);
    dds_lset_subscription_matched(listener, on_writers_changed);
    dds_lset_publication_matched(listener, on_readers_changed);
    std::printf("ready\n");
    std::fflush(stdout);
    const dds_entity_t writer = checked(dds_create_writer(participant, to, qos, listener), "writer");
    if (words.size() > 5) dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    const dds_entity_t reader = checked(dds_create_reader(participant, from, qos, listener), "reader");
    dds_delete_listener(listener);
    dds_delete_qos(qos);
    const dds_entity_t waiter = dds_create_waitset(participant);
    checked(dds_waitset_attach(waiter, dds_create_readcondition(reader, DDS_ANY_STATE), 0), "attach");
    echo(reader, writer, waiter);
}
