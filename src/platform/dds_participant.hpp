#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "negotiation/topic_settings.hpp"
#include "negotiation/transport.hpp"

namespace caribou {

/// The sentence and code for what a call of CycloneDDS returned: `cannot open /scan: bad parameter`.
Error dds_error(const std::string& what, std::int32_t returned);

/// This process as others see it over DDS. One is enough for everything that a process says; two processes
/// find each other, not two topics. DDS runs threads of its own for it.
class DdsParticipant {
public:
    static Result<std::unique_ptr<DdsParticipant>> open(const negotiation::DdsSettings& settings);
    DdsParticipant(const DdsParticipant&) = delete;
    DdsParticipant& operator=(const DdsParticipant&) = delete;
    /// Whatever was made on it is gone before.
    ~DdsParticipant();

    std::int32_t handle() const { return handle_; }
    negotiation::PeerId id() const { return id_; }
    /// Whether it is one of our own writers or readers: they begin with the same twelve bytes.
    bool owns(const negotiation::PeerId& id) const {
        return id.high == id_.high && id.low >> 32 == id_.low >> 32;
    }
    /// With the domain that it is in.
    const negotiation::DdsSettings& settings() const { return settings_; }

private:
    DdsParticipant(const negotiation::DdsSettings& settings, std::int32_t domain, std::int32_t handle);

    negotiation::DdsSettings settings_;
    std::int32_t domain_;
    std::int32_t handle_;
    negotiation::PeerId id_;
};

}  // namespace caribou
