#pragma once

#include "cubes/radio.hpp"

namespace caribou::cubes {

/// The radio of a machine without one: every attempt fails immediately, with an error message.
class NoRadio final : public Radio {
public:
    std::string_view name() const override { return "none"; }
    void attach(RadioEvents*) override {}
    RadioStatus status() const override;

    Result<void> start_scan() override;
    void stop_scan() override {}
    Result<void> connect(CubeAddress) override;
    Result<void> disconnect() override;
    Result<void> read(Characteristic) override;
    Result<void> write(Characteristic, ByteView) override;
};

}  // namespace caribou::cubes
