// The negotiation suite over every transport of this module.

#include "negotiation/bus_transport_rig.hpp"
#include "negotiation/chain_contract.hpp"
#include "negotiation/negotiation_contract.hpp"

namespace caribou::negotiation {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(InProcess, NegotiationContract, InProcessRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Bus, NegotiationContract, BusRig);
INSTANTIATE_TYPED_TEST_SUITE_P(InProcess, ChainContract, InProcessRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Bus, ChainContract, BusRig);

}  // namespace
}  // namespace caribou::negotiation
