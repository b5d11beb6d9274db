#include "adapters/dds/dds_discovery.hpp"

#include <fmt/format.h>

namespace caribou {
namespace {

dds_reliability_kind_t reliability_of(const dds_qos_t* qos) {
    dds_reliability_kind_t kind = DDS_RELIABILITY_BEST_EFFORT;
    dds_duration_t blocking = 0;
    dds_qget_reliability(qos, &kind, &blocking);
    return kind;
}

dds_durability_kind_t durability_of(const dds_qos_t* qos) {
    dds_durability_kind_t kind = DDS_DURABILITY_VOLATILE;
    dds_qget_durability(qos, &kind);
    return kind;
}

dds_duration_t deadline_of(const dds_qos_t* qos) {
    dds_duration_t deadline = DDS_INFINITY;
    dds_qget_deadline(qos, &deadline);
    return deadline;
}

struct Liveliness {
    dds_liveliness_kind_t kind = DDS_LIVELINESS_AUTOMATIC;
    dds_duration_t lease = DDS_INFINITY;
};

Liveliness liveliness_of(const dds_qos_t* qos) {
    Liveliness liveliness;
    dds_qget_liveliness(qos, &liveliness.kind, &liveliness.lease);
    return liveliness;
}

dds_ownership_kind_t ownership_of(const dds_qos_t* qos) {
    dds_ownership_kind_t kind = DDS_OWNERSHIP_SHARED;
    dds_qget_ownership(qos, &kind);
    return kind;
}

}  // namespace

std::string policy_between(const dds_qos_t* writer, const dds_qos_t* reader) {
    if (reliability_of(writer) < reliability_of(reader)) return "reliability";
    if (durability_of(writer) < durability_of(reader)) return "durability";
    if (deadline_of(writer) > deadline_of(reader)) return "deadline";
    const Liveliness offered = liveliness_of(writer);
    const Liveliness requested = liveliness_of(reader);
    if (offered.kind < requested.kind || offered.lease > requested.lease) return "liveliness";
    if (ownership_of(writer) != ownership_of(reader)) return "ownership";
    return "";
}

std::string profile_text(const dds_qos_t* qos) {
    constexpr std::array durabilities{"volatile", "transient local", "transient", "persistent"};
    return fmt::format("{}, {}", reliability_of(qos) == DDS_RELIABILITY_RELIABLE ? "reliable" : "best effort",
                       durabilities.at(static_cast<std::size_t>(durability_of(qos))));
}

std::string mismatch_text(const std::string& topic, const std::string& writer,
                          const std::string& writer_profile, const std::string& reader,
                          const std::string& reader_profile, const std::string& policy) {
    return fmt::format(
        "{}: the publisher of {} ({}) and the subscription of {} ({}) do not match; they differ in: {}",
        topic, writer, writer_profile, reader, reader_profile, policy);
}

}  // namespace caribou
