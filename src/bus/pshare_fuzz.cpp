// Arbitrary lines as outputs, inputs and commands, and arbitrary datagrams: what is accepted can be sent
// again as the same bytes.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/pshare.hpp"
#include "wire/codec.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView bytes = std::as_bytes(std::span(data, size));
    const PshareChannels channels;
    Pshare share;
    std::string_view input = text_of(bytes);
    while (!input.empty()) {
        const std::string_view line = input.substr(0, input.find('\n'));
        input.remove_prefix(std::min(input.size(), line.size() + 1));
        if (const auto outputs = parse_pshare_output(line, channels))
            for (const PshareOutput& output : *outputs) std::ignore = share.add(output, Instant());
        if (const auto inputs = parse_pshare_input(line, channels))
            for (const PshareInput& one : *inputs) std::ignore = share.add(one);
        std::ignore = parse_pshare_command(line, channels);
    }
    Pshare open;
    check(open.add(PshareInput{}).has_value(), "it has an input");
    if (const auto value = open.incoming(0, bytes)) {
        check(!value->key.empty(), "a value has a name");
        for (const auto& parcel : share.outgoing(*value, value->community, Instant())) {
            check(parcel.bytes.size() <= Pshare::largest_message, "it fits a datagram");
            check(open.incoming(0, parcel.bytes).has_value(), "others accept what is sent");
        }
    }
    check(share.output_summary().empty() || share.output_summary().contains("->"), "routes are listed");
    return 0;
}
