#pragma once

// Fast DDS 3, of Debian 13, in the form that fast_dds_peer.cpp uses.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/core/condition/WaitSet.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.hpp>
#include <fastdds/utils/IPLocator.hpp>

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastdds::rtps;

using FastDuration = fast::Duration_t;
const FastDuration fast_infinite = fast::c_TimeInfinite;

inline bool is_ok(fast::ReturnCode_t code) { return code == fast::RETCODE_OK; }

/// The type of T, by T's name, write and read.
template <class T>
class Type final : public fast::TopicDataType {
public:
    Type() {
        set_name(T::name);
        max_serialized_type_size = 4096;
    }
    bool serialize(const void* const data, rtps::SerializedPayload_t& payload,
                   fast::DataRepresentationId_t) override {
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload.data), payload.max_size);
        using eprosima::fastcdr::Cdr;
        Cdr cdr(buffer, Cdr::LITTLE_ENDIANNESS, eprosima::fastcdr::CdrVersion::XCDRv1);
        payload.encapsulation = CDR_LE;
        cdr.set_encoding_flag(eprosima::fastcdr::EncodingAlgorithmFlag::PLAIN_CDR);
        cdr.serialize_encapsulation();
        static_cast<const T*>(data)->write(cdr);
        payload.length = static_cast<std::uint32_t>(cdr.get_serialized_data_length());
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t& payload, void* data) override {
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload.data), payload.length);
        eprosima::fastcdr::Cdr cdr(buffer);
        cdr.read_encapsulation();
        static_cast<T*>(data)->read(cdr);
        return true;
    }
    std::uint32_t calculate_serialized_size(const void* const, fast::DataRepresentationId_t) override {
        return 4096;
    }
    void* create_data() override { return std::make_unique<T>().release(); }
    void delete_data(void* data) override { std::unique_ptr<T>(static_cast<T*>(data)); }
    bool compute_key(rtps::SerializedPayload_t&, rtps::InstanceHandle_t&, bool) override { return false; }
    bool compute_key(const void* const, rtps::InstanceHandle_t&, bool) override { return false; }
};

/// Bytes of any type, by a name given at run time; they are not decoded.
struct AnyBytes {
    std::vector<rtps::octet> bytes;  ///< with the header of the encoding
};
class AnyType final : public fast::TopicDataType {
public:
    static constexpr std::uint32_t most = 1 << 20;
    explicit AnyType(const std::string& name) {
        set_name(name);
        max_serialized_type_size = most;
    }
    bool serialize(const void* const data, rtps::SerializedPayload_t& payload,
                   fast::DataRepresentationId_t) override {
        const auto& bytes = static_cast<const AnyBytes*>(data)->bytes;
        std::copy(bytes.begin(), bytes.end(), payload.data);
        payload.encapsulation = CDR_LE;
        payload.length = static_cast<std::uint32_t>(bytes.size());
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t& payload, void* data) override {
        static_cast<AnyBytes*>(data)->bytes.assign(payload.data, payload.data + payload.length);
        return true;
    }
    std::uint32_t calculate_serialized_size(const void* const data, fast::DataRepresentationId_t) override {
        return static_cast<std::uint32_t>(static_cast<const AnyBytes*>(data)->bytes.size());
    }
    void* create_data() override { return std::make_unique<AnyBytes>().release(); }
    void delete_data(void* data) override { std::unique_ptr<AnyBytes>(static_cast<AnyBytes*>(data)); }
    bool compute_key(rtps::SerializedPayload_t&, rtps::InstanceHandle_t&, bool) override { return false; }
    bool compute_key(const void* const, rtps::InstanceHandle_t&, bool) override { return false; }
};
