#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "negotiation/topic_settings.hpp"
#include "negotiation/transport.hpp"

namespace caribou {

/// Returns the error for a failed call of CycloneDDS: `cannot open /scan: bad parameter`.
Error dds_error(const std::string& what, std::int32_t returned);

/// This process as a DDS participant. One per process is sufficient, because discovery is between processes,
/// not topics. DDS runs its own threads for it.
class DdsParticipant {
public:
    /// Joins the domain of the settings. Fails if they are invalid or DDS cannot be started.
    static Result<std::unique_ptr<DdsParticipant>> open(const negotiation::DdsSettings& settings);
    DdsParticipant(const DdsParticipant&) = delete;
    DdsParticipant& operator=(const DdsParticipant&) = delete;
    /// Everything created on it must be destroyed first.
    ~DdsParticipant();

    std::int32_t handle() const { return handle_; }
    negotiation::PeerId id() const { return id_; }
    /// Returns whether this is one of our own writers or readers: their ids start with the same twelve bytes.
    bool owns(const negotiation::PeerId& id) const {
        return id.high == id_.high && id.low >> 32 == id_.low >> 32;
    }
    /// Returns the settings, including the domain.
    const negotiation::DdsSettings& settings() const { return settings_; }

private:
    DdsParticipant(const negotiation::DdsSettings& settings, std::int32_t domain, std::int32_t handle);

    negotiation::DdsSettings settings_;
    std::int32_t domain_;
    std::int32_t handle_;
    negotiation::PeerId id_;
};

}  // namespace caribou
