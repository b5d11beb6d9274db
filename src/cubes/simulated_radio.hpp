#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "cubes/radio.hpp"
#include "cubes/simulated_cube.hpp"
#include "loop/loop.hpp"

namespace caribou::cubes {

/// The faults of a simulated radio. By default there are none.
struct RadioFaults {
    bool refuse_connect = false;
    bool hang_connect = false;  ///< no reply to connect()
    bool refuse_disconnect = false;
    bool hang_disconnect = false;  ///< no reply to disconnect()
    bool hang_values = false;      ///< no reply to read() and write()
};

struct SimulatedRadioOptions {
    std::uint64_t seed = 1;
    Duration advertising = std::chrono::milliseconds(500);  ///< between two advertisements of a cube
    Duration connecting = std::chrono::milliseconds(300);
    Duration disconnecting = std::chrono::milliseconds(50);
    Duration interval = std::chrono::milliseconds(15);  ///< for a reply or a write
    Duration supervision = std::chrono::seconds(1);     ///< until a silent cube counts as lost
};

/// A simulated radio with simulated cubes. Deterministic: the same seed and calls give the same events.
class SimulatedRadio final : public Radio {
public:
    explicit SimulatedRadio(Loop& loop, SimulatedRadioOptions options = {});
    ~SimulatedRadio() override;

    /// Adds a cube, which is owned by the radio and lives as long.
    SimulatedCube& add_cube(SimulatedCubeOptions options = {});
    void set_faults(RadioFaults faults);
    /// Sets the status. If it is not ready, the link is closed and further calls fail.
    void set_status(RadioStatus status);
    /// Breaks the link, as if the cube were gone.
    void drop_link();

    bool scanning() const { return scanning_; }
    /// Returns the cube that is linked or for which a connect() or disconnect() is in progress, or nullptr.
    SimulatedCube* linked() const { return cube_; }
    /// Returns true if it is neither scanning nor linked, and thus uses no battery.
    bool idle() const { return !scanning_ && !cube_; }

    std::string_view name() const override { return "simulated"; }
    void attach(RadioEvents* events) override { events_ = events; }
    RadioStatus status() const override { return status_; }
    Result<void> start_scan() override;
    void stop_scan() override;
    Result<void> connect(CubeAddress address) override;
    Result<void> disconnect() override;
    Result<void> read(Characteristic from) override;
    Result<void> write(Characteristic to, ByteView value) override;

private:
    enum class Link : std::uint8_t { none, connecting, up, disconnecting, lost };
    /// A reply that waits for its interval.
    struct Exchange {
        bool is_read;
        Characteristic characteristic;
        Bytes value;
    };

    Instant now() const { return loop_.clock().now(); }
    Result<void> ready() const;
    Result<void> linked_for(const char* what) const;
    void advertise();
    void advance_link();
    void answer();
    void stream();
    void restart_cube();
    void close(const Error& why);

    Loop& loop_;
    SimulatedRadioOptions options_;
    Random random_;
    RadioFaults faults_;
    RadioStatus status_;
    RadioEvents* events_ = nullptr;
    std::vector<std::unique_ptr<SimulatedCube>> cubes_;
    bool scanning_ = false;
    Link link_ = Link::none;
    SimulatedCube* cube_ = nullptr;
    std::deque<Exchange> exchanges_;
    std::uint64_t streamed_ = 0;  ///< messages since the link was established
    std::unique_ptr<Timer> scan_timer_;
    std::unique_ptr<Timer> link_timer_;
    std::unique_ptr<Timer> answer_timer_;
    std::unique_ptr<Timer> stream_timer_;
    std::unique_ptr<Timer> firmware_timer_;
    std::unique_ptr<Timer> status_timer_;
};

}  // namespace caribou::cubes
