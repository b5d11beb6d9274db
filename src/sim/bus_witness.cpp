#include "sim/bus_witness.hpp"

#include <tuple>

namespace caribou::sim {

BusWitness::BusWitness(Loop& loop, Network& network, const Address& broker)
    : client_(loop, network, {.name = "witness", .broker = broker}) {
    client_.on_other_mail(
        [this](const wire::MessageView& mail) { values_[std::string(mail.key)] = mail.payload; });
    std::ignore = client_.register_wildcard("*_RUN_MODE", "*");
    std::ignore = client_.start();
}

std::string_view BusWitness::heard(const std::string& variable) const {
    const auto found = values_.find(variable);
    return found == values_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace caribou::sim
