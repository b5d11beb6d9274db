#pragma once

// Fast DDS 2, of Debian 12, in the form that fast_dds_peer.cpp uses.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/dds/core/condition/WaitSet.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

using FastDuration = eprosima::fastrtps::Duration_t;
const FastDuration fast_infinite = eprosima::fastrtps::c_TimeInfinite;

inline bool is_ok(ReturnCode_t code) { return code == ReturnCode_t::RETCODE_OK; }

/// The type of T, by T's name, write and read.
template <class T>
class Type final : public fast::TopicDataType {
public:
    Type() {
        setName(T::name);
        m_typeSize = 4096;
    }
    bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->max_size);
        using eprosima::fastcdr::Cdr;
        Cdr cdr(buffer, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
        payload->encapsulation = CDR_LE;
        cdr.serialize_encapsulation();
        static_cast<T*>(data)->write(cdr);
        payload->length = static_cast<std::uint32_t>(cdr.getSerializedDataLength());
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->length);
        using eprosima::fastcdr::Cdr;
        Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        cdr.read_encapsulation();
        static_cast<T*>(data)->read(cdr);
        return true;
    }
    std::function<std::uint32_t()> getSerializedSizeProvider(void*) override {
        return [] { return 4096u; };
    }
    void* createData() override { return std::make_unique<T>().release(); }
    void deleteData(void* data) override { std::unique_ptr<T>(static_cast<T*>(data)); }
    bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

/// Bytes of any type, by a name given at run time; they are not decoded.
struct AnyBytes {
    std::vector<rtps::octet> bytes;  ///< with the header of the encoding
};
class AnyType final : public fast::TopicDataType {
public:
    static constexpr std::uint32_t most = 1 << 20;
    explicit AnyType(const std::string& name) {
        setName(name.c_str());
        m_typeSize = most;
    }
    bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
        const auto& bytes = static_cast<AnyBytes*>(data)->bytes;
        std::copy(bytes.begin(), bytes.end(), payload->data);
        payload->encapsulation = CDR_LE;
        payload->length = static_cast<std::uint32_t>(bytes.size());
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
        static_cast<AnyBytes*>(data)->bytes.assign(payload->data, payload->data + payload->length);
        return true;
    }
    std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
        const auto size = static_cast<std::uint32_t>(static_cast<AnyBytes*>(data)->bytes.size());
        return [size] { return size; };
    }
    void* createData() override { return std::make_unique<AnyBytes>().release(); }
    void deleteData(void* data) override { std::unique_ptr<AnyBytes>(static_cast<AnyBytes*>(data)); }
    bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};
