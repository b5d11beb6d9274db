#include "wire/scan.hpp"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>
#include "base/random.hpp"

namespace caribou::wire {
namespace {

constexpr ScanEncoding scan_encodings[] = {ScanEncoding::full, ScanEncoding::quantised, ScanEncoding::delta};

Scan golden_scan() {
    return {.time = 1767225600.25,
            .first_angle = -1.5F,
            .angle_step = 0.5F,
            .reach = 8,
            .ranges = {1.0F, 1.01F, 0.9F, INFINITY, INFINITY, INFINITY, NAN, 0.0F, 7.999F}};
}

std::string golden_scan_file(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(tests::in_repository("tests/golden/scan/") + name, std::ios::binary).rdbuf();
    return text.str();
}

/// Returns a scan such as a lidar in a room could produce, with arbitrary values mixed in.
Scan any_scan(Random& random) {
    Scan scan{.time = random.unit() * 2e9,
              .first_angle = static_cast<float>(random.unit()),
              .angle_step = 0.01F,
              .reach = 8};
    double range = 3;
    for (std::uint64_t i = random.below(400); i > 0; --i) {
        range = random.chance(0.1) ? random.unit() * 400 - 1 : range + random.unit() * 0.1 - 0.05;
        scan.ranges.push_back(random.chance(0.1)    ? INFINITY
                              : random.chance(0.05) ? NAN
                                                    : static_cast<float>(range));
    }
    return scan;
}

RC_GTEST_PROP(ScanCodec, ComesBackNoFartherOffThanHalfTheResolution, ()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const Scan scan = any_scan(random);
    const auto resolution = *rc::gen::element(0.001F, 0.005F, 0.02F);
    for (const ScanEncoding encoding : scan_encodings) {
        const auto again = decode_scan(encode_scan(scan, encoding, resolution));
        RC_ASSERT(again.has_value());
        RC_ASSERT(std::tie(again->time, again->first_angle, again->angle_step, again->reach) ==
                  std::tie(scan.time, scan.first_angle, scan.angle_step, scan.reach));
        RC_ASSERT(again->ranges.size() == scan.ranges.size());
        for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
            const float before = scan.ranges[i];
            const float after = again->ranges[i];
            if (encoding == ScanEncoding::full)
                RC_ASSERT(std::bit_cast<std::uint32_t>(before) == std::bit_cast<std::uint32_t>(after));
            else if (std::isnan(before))
                RC_ASSERT(std::isnan(after));
            else if (before > 65533.5F * resolution)
                RC_ASSERT(std::isinf(after));
            else
                RC_ASSERT(std::abs(after - std::max(0.0F, before)) <= resolution * 0.5001F + before * 1e-6F);
        }
    }
}

TEST(ScanCodec, CostsLessTheMoreItRounds) {
    Random random(7);
    Scan room{.reach = 8};
    for (int i = 0; i < 360; ++i)
        room.ranges.push_back(static_cast<float>(2 + std::sin(i * 0.05) + random.unit() * 0.02));
    const auto full = encode_scan(room, ScanEncoding::full).size();
    const auto quantised = encode_scan(room, ScanEncoding::quantised).size();
    const auto delta = encode_scan(room, ScanEncoding::delta).size();
    EXPECT_EQ(full, 26U + 4 * 360);
    EXPECT_EQ(quantised, 30U + 2 * 360);
    EXPECT_LE(delta, 30U + 370);
}

TEST(ScanCodec, WritesAndReadsTheGoldenFiles) {
    for (const auto& [name, encoding] : {std::pair{"full.scan", ScanEncoding::full},
                                         {"quantised.scan", ScanEncoding::quantised},
                                         {"delta.scan", ScanEncoding::delta}}) {
        const std::string bytes = golden_scan_file(name);
        EXPECT_EQ(text_of(encode_scan(golden_scan(), encoding, 0.005F)), bytes) << name;
        const auto scan = decode_scan(bytes_of(bytes));
        ASSERT_TRUE(scan.has_value()) << name << scan.error().message;
        EXPECT_EQ(scan->ranges.size(), 9U);
        EXPECT_TRUE(std::isinf(scan->ranges[4]));
        EXPECT_NEAR(scan->ranges[8], 7.999, 0.0026);
    }
}

TEST(ScanCodec, CarriesThePoseFromWhichItWasTaken) {
    for (const ScanEncoding encoding : scan_encodings) {
        Scan scan = golden_scan();
        scan.pose = Pose{1.5, -2.25, 0.125};
        const Bytes bytes = encode_scan(scan, encoding);
        const auto again = decode_scan(bytes);
        ASSERT_TRUE(again.has_value()) << again.error().message;
        EXPECT_EQ(again->pose, scan.pose);
        EXPECT_EQ(again->ranges.size(), scan.ranges.size());
        EXPECT_EQ(text_of(bytes),
                  golden_scan_file(encoding == ScanEncoding::full        ? "full_pose.scan"
                                   : encoding == ScanEncoding::quantised ? "quantised_pose.scan"
                                                                         : "delta_pose.scan"));
        for (std::size_t cut = 1; cut < 24; ++cut)
            EXPECT_FALSE(decode_scan(ByteView(bytes).first(bytes.size() - cut)).has_value());
    }
}

TEST(ScanCodec, RefusesWhatIsNoScan) {
    for (const ScanEncoding encoding : scan_encodings) {
        const Bytes bytes = encode_scan(golden_scan(), encoding);
        for (std::size_t size = 0; size < bytes.size(); ++size)
            EXPECT_FALSE(decode_scan(ByteView(bytes).first(size)).has_value());
        Bytes longer = bytes;
        longer.push_back(std::byte{0});
        EXPECT_FALSE(decode_scan(longer).has_value());
        Bytes unknown = bytes;
        unknown[1] = std::byte{9};
        EXPECT_EQ(decode_scan(unknown).error().message, "no scan: encoding 9 is not known");
        Bytes many = bytes;
        many[25] = std::byte{0xff};
        EXPECT_FALSE(decode_scan(many).has_value());
    }
}

}  // namespace
}  // namespace caribou::wire
