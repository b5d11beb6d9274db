#include "adapters/dds/dds_sertype.hpp"

#include <dds/ddsi/q_radmin.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

namespace caribou {
namespace {

struct OpaqueSample : ddsi_serdata {
    std::shared_ptr<const Bytes> payload;
    std::shared_ptr<const Bytes> padded;  ///< padded to a multiple of four, because DDS reads that far
};

const OpaqueSample& opaque(const ddsi_serdata* sample) { return *static_cast<const OpaqueSample*>(sample); }

OpaqueSample* new_sample(const ddsi_sertype* type, ddsi_serdata_kind kind) {
    auto sample = std::make_unique<OpaqueSample>();
    ddsi_serdata_init(sample.get(), type, kind);
    return sample.release();  // DDS counts references and calls free_sample()
}

ddsi_serdata* new_sample(const ddsi_sertype* type, ddsi_serdata_kind kind,
                         std::shared_ptr<const Bytes> payload) {
    OpaqueSample* sample = new_sample(type, kind);
    sample->payload = std::move(payload);
    return sample;
}

/// A topic without a key has one instance.
bool same_key(const ddsi_serdata*, const ddsi_serdata*) { return true; }

/// Returns the bytes on the wire.
ByteView wire_bytes(const ddsi_serdata* sample) {
    const OpaqueSample& held = opaque(sample);
    if (held.padded) return *held.padded;
    return held.payload ? ByteView(*held.payload) : ByteView();
}

std::uint32_t size_of(const ddsi_serdata* sample) {
    return static_cast<std::uint32_t>(wire_bytes(sample).size());
}

/// A payload is sent in a multiple of four bytes. The last bits of its header hold the number of padding
/// bytes; both are removed.
constexpr std::size_t options_at = 3;
constexpr std::byte padding_bits{3};

void drop_padding(Bytes& payload) {
    if (payload.size() <= options_at) return;
    const auto padding = std::to_integer<std::size_t>(payload[options_at] & padding_bits);
    payload[options_at] &= ~padding_bits;
    if (payload.size() >= options_at + 1 + padding) payload.resize(payload.size() - padding);
}

std::shared_ptr<const Bytes> with_padding(const Bytes& payload) {
    const std::size_t padding = 4 - payload.size() % 4;
    auto padded = std::make_shared<Bytes>(payload);
    if (payload.size() > options_at) (*padded)[options_at] |= static_cast<std::byte>(padding);
    padded->resize(payload.size() + padding);
    return padded;
}

/// Joins fragments, which may overlap.
ddsi_serdata* from_fragments(const ddsi_sertype* type, ddsi_serdata_kind kind, const nn_rdata* fragment,
                             std::size_t size) {
    if (kind != SDK_DATA) return new_sample(type, kind);
    auto payload = std::make_shared<Bytes>();
    payload->reserve(size);  // without filling it with zeros first
    for (; fragment != nullptr; fragment = fragment->nextfrag) {
        const std::size_t have = payload->size();
        if (fragment->maxp1 <= have) continue;
        const auto* const from = reinterpret_cast<const std::byte*>(
            NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment)));
        append(*payload, std::span(from + (have - fragment->min), fragment->maxp1 - have));
    }
    payload->resize(size);
    drop_padding(*payload);
    return new_sample(type, kind, std::move(payload));
}

ddsi_serdata* from_pieces(const ddsi_sertype* type, ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count,
                          const ddsrt_iovec_t* pieces, std::size_t size) {
    if (kind != SDK_DATA) return new_sample(type, kind);
    auto payload = std::make_shared<Bytes>();
    payload->reserve(size);
    for (ddsrt_msg_iovlen_t i = 0; i < count; ++i)
        append(*payload, std::span(static_cast<const std::byte*>(pieces[i].iov_base), pieces[i].iov_len));
    payload->resize(size);
    drop_padding(*payload);
    return new_sample(type, kind, std::move(payload));
}

ddsi_serdata* from_key(const ddsi_sertype* type, const ddsi_keyhash*) { return new_sample(type, SDK_KEY); }
ddsi_serdata* from_object(const ddsi_sertype*, ddsi_serdata_kind, const void*) { return nullptr; }
ddsi_serdata* to_key(const ddsi_serdata* sample) { return new_sample(sample->type, SDK_KEY); }
bool to_object(const ddsi_serdata*, void*, void**, void*) { return false; }
bool key_to_object(const ddsi_sertype*, const ddsi_serdata*, void*, void**, void*) { return false; }

void copy_bytes(const ddsi_serdata* sample, std::size_t offset, std::size_t size, void* to) {
    std::ranges::copy(wire_bytes(sample).subspan(offset, size), static_cast<std::byte*>(to));
}

ddsi_serdata* refer_to_bytes(const ddsi_serdata* sample, std::size_t offset, std::size_t size,
                             ddsrt_iovec_t* ref) {
    ref->iov_base = const_cast<std::byte*>(wire_bytes(sample).data() + offset);
    ref->iov_len = size;
    return ddsi_serdata_ref(sample);
}
void let_go_of_bytes(ddsi_serdata* sample, const ddsrt_iovec_t*) { ddsi_serdata_unref(sample); }

void free_sample(ddsi_serdata* sample) { std::unique_ptr<OpaqueSample>(static_cast<OpaqueSample*>(sample)); }

std::size_t print_sample(const ddsi_sertype* type, const ddsi_serdata* sample, char* to, std::size_t size) {
    const int length = std::snprintf(to, size, "%s of %u bytes", type->type_name, size_of(sample));
    return length < 0 ? 0 : static_cast<std::size_t>(length);
}
void key_hash(const ddsi_serdata*, ddsi_keyhash* to, bool) { std::memset(to->value, 0, sizeof to->value); }

const ddsi_serdata_ops sample_operations = [] {
    ddsi_serdata_ops ops{};
    ops.eqkey = same_key;
    ops.get_size = size_of;
    ops.from_ser = from_fragments;
    ops.from_ser_iov = from_pieces;
    ops.from_keyhash = from_key;
    ops.from_sample = from_object;
    ops.to_ser = copy_bytes;
    ops.to_ser_ref = refer_to_bytes;
    ops.to_ser_unref = let_go_of_bytes;
    ops.to_sample = to_object;
    ops.to_untyped = to_key;
    ops.untyped_to_sample = key_to_object;
    ops.free = free_sample;
    ops.print = print_sample;
    ops.get_keyhash = key_hash;
    return ops;
}();

void free_type(ddsi_sertype* type) {
    ddsi_sertype_fini(type);
    std::unique_ptr<ddsi_sertype>{type};
}
void no_objects(const ddsi_sertype*, void*, std::size_t) {}
void no_objects(void**, const ddsi_sertype*, void*, std::size_t, std::size_t) {}
void no_objects(const ddsi_sertype*, void**, std::size_t, dds_free_op_t) {}
bool same_type(const ddsi_sertype*, const ddsi_sertype*) { return true; }  // names have been compared before
std::uint32_t hash_of_type(const ddsi_sertype*) { return 0; }

const ddsi_sertype_ops type_operations = [] {
    ddsi_sertype_ops ops{};
    ops.version = ddsi_sertype_v0;
    ops.free = free_type;
    ops.zero_samples = no_objects;
    ops.realloc_samples = no_objects;
    ops.free_samples = no_objects;
    ops.equal = same_type;
    ops.hash = hash_of_type;
    return ops;
}();

}  // namespace

ddsi_sertype* make_opaque_type(const std::string& type_name) {
    auto type = std::make_unique<ddsi_sertype>();
    ddsi_sertype_init_flags(type.get(), type_name.c_str(), &type_operations, &sample_operations,
                            DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
    type->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
    return type.release();  // DDS counts references and calls free_type()
}

ddsi_serdata* make_opaque_sample(const ddsi_sertype& type, std::shared_ptr<const Bytes> payload,
                                 WallTime stamp) {
    OpaqueSample* sample = new_sample(&type, SDK_DATA);
    if (payload->size() % 4 != 0) sample->padded = with_padding(*payload);
    sample->payload = std::move(payload);
    sample->timestamp.v = stamp.time_since_epoch().count();
    sample->statusinfo = 0;
    return sample;
}

const std::shared_ptr<const Bytes>& payload_of(const ddsi_serdata& sample) { return opaque(&sample).payload; }

}  // namespace caribou
