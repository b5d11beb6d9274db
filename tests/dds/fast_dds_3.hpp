#pragma once

// Fast DDS 3, of Debian 13, in the form that fast_dds_peer.cpp uses.

#include <cstdint>
#include <memory>

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
