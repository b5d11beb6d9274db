#include "adapters/dds/dds_participant.hpp"

#include <dds/dds.h>

#include <algorithm>
#include <atomic>
#include <cctype>

#include <fmt/format.h>

#include "adapters/dds/cyclone_config.hpp"
#include "adapters/dds/dds_handles.hpp"

namespace caribou {

using negotiation::DdsSettings;

namespace {

/// CycloneDDS identifies domains within a process by numbers. Ours are independent of the domain ids on the
/// wire, so that each participant can have its own settings.
dds_domainid_t next_number() {
    static std::atomic<dds_domainid_t> last = 0;
    return ++last;
}

const std::string user_data = "enclave=/;" + std::string(caribou_mark);  // ROS 2 requires the enclave

}  // namespace

Error dds_error(const std::string& what, std::int32_t returned) {
    std::string words = dds_strretcode(returned);
    std::ranges::transform(words, words.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    Code code = Code::io;
    if (returned == DDS_RETCODE_BAD_PARAMETER) code = Code::invalid_argument;
    if (returned == DDS_RETCODE_TIMEOUT || returned == DDS_RETCODE_OUT_OF_RESOURCES)
        code = Code::limit_exceeded;
    return {code, fmt::format("{}: {}", what, words)};
}

Result<std::unique_ptr<DdsParticipant>> DdsParticipant::open(const DdsSettings& wanted) {
    if (auto good = check_settings(wanted); !good) return fail(std::move(good.error()));
    const auto found = with_domain(wanted);
    if (!found) return fail(found.error());
    const DdsSettings& settings = *found;
    const dds_domainid_t number = next_number();
    const dds_entity_t domain = dds_create_domain(number, cyclone_config(settings).c_str());
    if (domain < 0) return fail(dds_error("cannot start DDS", domain));
    const QosHandle qos(dds_create_qos());
    dds_qset_userdata(qos.get(), user_data.data(), user_data.size());
    dds_qset_entity_name(qos.get(), settings.name.c_str());
    const dds_entity_t handle = dds_create_participant(number, qos.get(), nullptr);
    if (handle < 0) {
        dds_delete(domain);
        return fail(dds_error(fmt::format("cannot take part in DDS domain {}", settings.domain), handle));
    }
    return std::unique_ptr<DdsParticipant>(new DdsParticipant(settings, domain, handle));
}

DdsParticipant::DdsParticipant(const DdsSettings& settings, std::int32_t domain, std::int32_t handle)
    : settings_(settings), domain_(domain), handle_(handle), id_(guid_of(handle)) {}

DdsParticipant::~DdsParticipant() { dds_delete(domain_); }

}  // namespace caribou
