#pragma once

#include <memory>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou::negotiation {

/// Operations on the C++ type that a Sample holds. There is exactly one instance per type, so two types are
/// equal if their addresses are.
struct SampleType {
    Bytes (*encode)(const void* object);  ///< returns CDR, including its four-byte header
};

/// A message in transit. Within a process it holds the object itself, which is shared without copying; from
/// outside it holds bytes (CDR, with the four-byte header that names the encoding). Copies are cheap and
/// share the content. For typed access see negotiation/typed_sample.hpp.
class Sample {
public:
    Sample(std::shared_ptr<const void> object, const SampleType& type, WallTime stamp)
        : object_(std::move(object)), type_(&type), stamp_(stamp) {}
    Sample(std::shared_ptr<const Bytes> bytes, WallTime stamp) : bytes_(std::move(bytes)), stamp_(stamp) {}

    /// Returns null if the sample holds only bytes.
    const SampleType* type() const { return type_; }
    const std::shared_ptr<const void>& object() const { return object_; }

    /// Returns the CDR encoding. The object is encoded at the first call.
    const Bytes& bytes() const { return *shared_bytes(); }
    const std::shared_ptr<const Bytes>& shared_bytes() const {
        if (!bytes_) bytes_ = std::make_shared<const Bytes>(type_->encode(object_.get()));
        return bytes_;
    }

    /// Returns the time of publication by the publisher's clock. Every transport preserves it to the
    /// microsecond.
    WallTime stamp() const { return stamp_; }

private:
    std::shared_ptr<const void> object_;
    const SampleType* type_ = nullptr;
    mutable std::shared_ptr<const Bytes> bytes_;
    WallTime stamp_;
};

}  // namespace caribou::negotiation
