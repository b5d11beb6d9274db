#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "msg/std_msgs/u_int8_multi_array.hpp"
#include "negotiation/transport.hpp"
#include "views/grid.hpp"
#include "wire/scan.hpp"

/// The encodings of scans, maps and camera images among which robot and station negotiate. The formats are
/// specified in docs/formats/scan.md, grid.md and camera.md.
namespace caribou::views {

using BytesMessage = msg::std_msgs::UInt8MultiArray;

/// Returns a message that contains a copy of `bytes`.
inline BytesMessage message_of(ByteView bytes) {
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    BytesMessage message;
    message.data.assign(data, data + bytes.size());
    return message;
}
/// Returns a view of the message's data, valid as long as the message.
inline ByteView bytes_in(const BytesMessage& message) { return std::as_bytes(std::span(message.data)); }

template <wire::ScanEncoding how>
struct ScanAs {
    using MsgT = BytesMessage;
    static constexpr wire::ScanEncoding encoding = how;
    static const std::string supported_type_name;
};
using FullScan = ScanAs<wire::ScanEncoding::full>;
using QuantisedScan = ScanAs<wire::ScanEncoding::quantised>;
using DeltaScan = ScanAs<wire::ScanEncoding::delta>;

template <>
inline const std::string FullScan::supported_type_name = "full";
template <>
inline const std::string QuantisedScan::supported_type_name = "quantised";
template <>
inline const std::string DeltaScan::supported_type_name = "delta";

template <wire::GridEncoding how>
struct GridAs {
    using MsgT = BytesMessage;
    static constexpr wire::GridEncoding encoding = how;
    static const std::string supported_type_name;
};
using RawGrid = GridAs<wire::GridEncoding::raw>;
using RunLengthGrid = GridAs<wire::GridEncoding::run_length>;
using CompressedGrid = GridAs<wire::GridEncoding::compressed>;

template <>
inline const std::string RawGrid::supported_type_name = "raw";
template <>
inline const std::string RunLengthGrid::supported_type_name = "run_length";
template <>
inline const std::string CompressedGrid::supported_type_name = "compressed";

/// How an image of the camera is encoded, largest first.
enum class CameraEncoding : std::uint8_t {
    full,  ///< in color, in the size of the camera
    half,  ///< in color, with half of the width and height
    gray,  ///< without color, with half of the width and height
};
inline constexpr std::size_t camera_encoding_count = 3;
inline constexpr std::array<CameraEncoding, camera_encoding_count> all_camera_encodings{
    CameraEncoding::full, CameraEncoding::half, CameraEncoding::gray};
using CameraEncodings = std::set<CameraEncoding>;

template <CameraEncoding how>
struct CameraAs {
    using MsgT = BytesMessage;
    static constexpr CameraEncoding encoding = how;
    static const std::string supported_type_name;
};
using FullCamera = CameraAs<CameraEncoding::full>;
using HalfCamera = CameraAs<CameraEncoding::half>;
using GrayCamera = CameraAs<CameraEncoding::gray>;

template <>
inline const std::string FullCamera::supported_type_name = "full";
template <>
inline const std::string HalfCamera::supported_type_name = "half";
template <>
inline const std::string GrayCamera::supported_type_name = "gray";

/// Of images of a camera: a late one is worthless, so that it makes room for everything else, and none is
/// kept.
inline constexpr negotiation::TopicQos camera_qos{.reliability = negotiation::Reliability::best_effort,
                                                  .depth = 1};

}  // namespace caribou::views
