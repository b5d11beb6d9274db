#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "negotiation/ros_discovery.hpp"

using namespace caribou;
using namespace caribou::negotiation;

/// Every announcement that can be decoded is encoded so that it decodes to the same value again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto discovery = decode_ros_discovery(std::as_bytes(std::span(data, size)));
    if (discovery)
        check(decode_ros_discovery(encode_ros_discovery(*discovery)) == *discovery,
              "an announcement survives");
    return 0;
}
