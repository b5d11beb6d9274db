// Negotiations over every transport of this room.

#include "negotiation/negotiation_contract.hpp"

namespace caribou::negotiation {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(InProcess, NegotiationContract, InProcessRig);

}  // namespace
}  // namespace caribou::negotiation
