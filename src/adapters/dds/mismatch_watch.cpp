#include "adapters/dds/mismatch_watch.hpp"

#include <utility>

#include "adapters/dds/dds_graph.hpp"

namespace caribou {
namespace {

constexpr Duration mismatch_period = std::chrono::seconds(1);

}  // namespace

MismatchWatch::MismatchWatch(Loop& loop, const DdsParticipant& participant, const DdsTransport& transport,
                             Told told)
    : loop_(loop),
      participant_(participant),
      transport_(transport),
      told_(std::move(told)),
      timer_(loop.make_timer([this] { look(); })) {
    timer_->arm(loop.clock().now() + mismatch_period);
}

void MismatchWatch::look() {
    timer_->arm(loop_.clock().now() + mismatch_period);
    const std::uint64_t reported = transport_.mismatches_reported();
    if (std::exchange(seen_, reported) == reported && last_.empty()) return;
    auto present = own_mismatches_on_dds(participant_, transport_.ros_peers());
    if (present.size() > max_mismatches) present.resize(max_mismatches);
    if (present == last_) return;
    last_ = std::move(present);
    told_(last_);
}

}  // namespace caribou
