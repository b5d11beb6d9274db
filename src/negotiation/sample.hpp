#pragma once

#include <memory>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou::negotiation {

/// What a Sample knows of the C++ type that it holds. There is one of it for each type, and two types
/// are the same if they have the same one.
struct SampleType {
    Bytes (*encode)(const void* object);  ///< to CDR, its four leading bytes included
};

/// A message on its way. Within the process it is the object itself, which goes from hand to hand
/// without a copy; from elsewhere it is bytes (CDR, with the four bytes that say how it is written).
/// Copies are cheap and share what they hold. Typed access: negotiation/typed_sample.hpp.
class Sample {
public:
    Sample(std::shared_ptr<const void> object, const SampleType& type, WallTime stamp)
        : object_(std::move(object)), type_(&type), stamp_(stamp) {}
    Sample(std::shared_ptr<const Bytes> bytes, WallTime stamp) : bytes_(std::move(bytes)), stamp_(stamp) {}

    /// Null: there is no object here, only bytes.
    const SampleType* type() const { return type_; }
    const std::shared_ptr<const void>& object() const { return object_; }

    /// Encodes the object at the first call.
    const Bytes& bytes() const { return *shared_bytes(); }
    const std::shared_ptr<const Bytes>& shared_bytes() const {
        if (!bytes_) bytes_ = std::make_shared<const Bytes>(type_->encode(object_.get()));
        return bytes_;
    }

    /// When it was published, by its publisher's clock. Goes along with it over every transport, to the
    /// microsecond.
    WallTime stamp() const { return stamp_; }

private:
    std::shared_ptr<const void> object_;
    const SampleType* type_ = nullptr;
    mutable std::shared_ptr<const Bytes> bytes_;
    WallTime stamp_;
};

}  // namespace caribou::negotiation
