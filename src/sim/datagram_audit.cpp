#include "sim/datagram_audit.hpp"

#include <string_view>
#include <utility>

namespace caribou::sim {

DatagramAudit::Mark DatagramAudit::of(ByteView packet) {
    return std::hash<std::string_view>()(text_of(packet));
}

void DatagramAudit::sent(std::size_t robot, ByteView packet) {
    const Mark mark = of(packet);
    if (!known_.emplace(mark, false).second) return;
    std::deque<Mark>& latest = sent_[robot];
    latest.push_back(mark);
    if (latest.size() <= most) return;
    known_.erase(latest.front());
    latest.pop_front();
}

void DatagramAudit::on_received(ByteView packet) {
    look();
    received_ = of(packet);
    refused_before_ = refusals_();
}

void DatagramAudit::look() {
    const auto mark = std::exchange(received_, {});
    if (!mark || refusals_() != refused_before_) return;
    const auto found = known_.find(*mark);
    if (found == known_.end())
        findings_.emplace_back("the station took a datagram that no robot had sent");
    else if (std::exchange(found->second, true))
        findings_.emplace_back("the station took a datagram twice");
}

void DatagramAudit::restart() {
    received_.reset();
    for (auto& entry : known_) entry.second = false;
}

}  // namespace caribou::sim
