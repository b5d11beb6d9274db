// Arbitrary bytes as a subscription's list and as a publisher's result: nothing breaks, limits hold, and
// well-behaved peers are served.

#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "negotiation/negotiation_rig.hpp"
#include "negotiation/topic_names.hpp"

using namespace caribou;
using namespace caribou::negotiation;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    InProcessRig rig;
    Speaker speaker(rig.loop(), rig.transport, {.a = 1, .b = 0});
    negotiation::Listener honest(rig.loop(), rig.transport, {.b = 1});
    WriterEar lists, results;
    lists.speak(rig.transport, supported_types_topic("/base"), supported_types_offer);
    results.speak(rig.transport, result_topic("/base"), result_qos);
    rig.settle();
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const Sample sample(std::make_shared<const Bytes>(bytes, bytes + size), {});
    check(lists.writer->write(sample).has_value(), "the list is taken");
    check(results.writer->write(sample).has_value(), "the result is taken");
    rig.settle();
    check(speaker.negotiated().contains('b'), "the honest subscription is served");
    check(honest.connected_to() == "b", "it follows the publisher that it knows");
    const NegotiationReport report = speaker.publisher.report();
    for (const auto& demand : report.demands)
        check(demand.wants.size() <= Limits{}.max_listed_types, "limits hold");
    check(!data::to_json(report).empty() && !to_text(report).empty(), "it can be told");
    return 0;
}
