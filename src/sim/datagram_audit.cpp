#include "sim/datagram_audit.hpp"

#include <string_view>
#include <utility>

namespace caribou::sim {

DatagramAudit::Mark DatagramAudit::of(ByteView packet) {
    return std::hash<std::string_view>()(text_of(packet));
}

bool DatagramAudit::Marks::add(Mark mark) {
    if (!known_.insert(mark).second) return false;
    order_.push_back(mark);
    if (order_.size() > most) {
        known_.erase(order_.front());
        order_.pop_front();
    }
    return true;
}

void DatagramAudit::Marks::clear() {
    known_.clear();
    order_.clear();
}

void DatagramAudit::on_received(ByteView packet) {
    look();
    received_ = of(packet);
    refused_before_ = refusals_();
}

void DatagramAudit::look() {
    const auto mark = std::exchange(received_, {});
    if (!mark || refusals_() != refused_before_) return;
    if (!sent_.contains(*mark)) findings_.emplace_back("the station took a datagram that no robot had sent");
    if (!taken_.add(*mark)) findings_.emplace_back("the station took a datagram twice");
}

void DatagramAudit::restart() {
    received_.reset();
    taken_.clear();
}

}  // namespace caribou::sim
