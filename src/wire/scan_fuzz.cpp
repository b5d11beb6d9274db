#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "wire/scan.hpp"

/// Decodes arbitrary bytes as a scan. They are refused, or give a scan that every encoding can represent;
/// values that were rounded once are not rounded again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::wire;
    const auto scan = decode_scan(std::as_bytes(std::span(data, size)));
    if (!scan) return 0;
    check(scan->ranges.size() <= Scan::max_beams, "a scan has at most max_beams");
    for (const ScanEncoding encoding : {ScanEncoding::full, ScanEncoding::quantised, ScanEncoding::delta}) {
        const auto again = decode_scan(encode_scan(*scan, encoding));
        check(again && again->ranges.size() == scan->ranges.size(), "what was read can be written");
    }
    const Bytes rounded = encode_scan(*scan, ScanEncoding::quantised);
    check(encode_scan(*decode_scan(rounded), ScanEncoding::delta) == encode_scan(*scan, ScanEncoding::delta),
          "quantised and delta round alike");
    return 0;
}
