// For a build without CycloneDDS.
#include "adapters/dds/dds_graph.hpp"
#include "adapters/dds/dds_participant.hpp"
#include "adapters/dds/dds_transport.hpp"

namespace caribou {

using namespace negotiation;

namespace {

std::unexpected<Error> absent() {
    return fail(Code::unavailable,
                "this program was built without DDS; install cyclonedds-dev and build it again");
}

}  // namespace

Result<std::unique_ptr<DdsParticipant>> DdsParticipant::open(const DdsSettings& settings) {
    if (auto good = check_settings(settings); !good) return fail(std::move(good.error()));
    return absent();
}

// There is no participant, so that nothing below is ever called.

DdsParticipant::~DdsParticipant() = default;

class DdsTransport::Discovery {};

DdsTransport::DdsTransport(DdsParticipant& participant, EventLoop& loop,
                           std::function<void(const std::string&)>)
    : participant_(participant), loop_(loop), table_(std::make_shared<Table>()) {}
DdsTransport::~DdsTransport() = default;

Result<std::unique_ptr<Writer>> DdsTransport::advertise(const Topic&, const TopicQos&, WriterEvents&) {
    return absent();
}
Result<std::unique_ptr<Reader>> DdsTransport::subscribe(const Topic&, const TopicQos&, ReaderEvents&) {
    return absent();
}
Result<std::unique_ptr<Writer>> DdsTransport::advertise_plain(const std::string&, const std::string&,
                                                              const TopicQos&, WriterEvents&) {
    return absent();
}

std::map<Topic, TopicUsers> topics_on_dds(const DdsParticipant&) { return {}; }
std::vector<std::string> mismatches_on_dds(const DdsParticipant&, const std::string&, const RosPeers&) {
    return {};
}

std::vector<std::string> own_mismatches_on_dds(const DdsParticipant&, const RosPeers&) { return {}; }

}  // namespace caribou
