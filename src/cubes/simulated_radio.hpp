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

/// How a simulated radio misbehaves, from now on. The default is a good one.
struct RadioFaults {
    bool refuse_connect = false;
    bool hang_connect = false;  ///< no answer to connect()
    bool refuse_disconnect = false;
    bool hang_disconnect = false;  ///< no answer to disconnect()
    bool hang_values = false;      ///< no answer to read() and write()
};

struct SimulatedRadioOptions {
    std::uint64_t seed = 1;
    Duration advertising = std::chrono::milliseconds(500);  ///< between two advertisements of a cube
    Duration connecting = std::chrono::milliseconds(300);
    Duration disconnecting = std::chrono::milliseconds(50);
    Duration interval = std::chrono::milliseconds(15);  ///< for an answer, or a write
    Duration supervision = std::chrono::seconds(1);     ///< until a silent cube counts as lost
};

/// A radio and its cubes, without either: the same seed and calls give the same events.
class SimulatedRadio final : public Radio {
public:
    explicit SimulatedRadio(Loop& loop, SimulatedRadioOptions options = {});
    ~SimulatedRadio() override;

    /// It stays as long as the radio.
    SimulatedCube& add_cube(SimulatedCubeOptions options = {});
    void set_faults(RadioFaults faults);
    /// Ends a link; what is not ready refuses everything.
    void set_status(RadioStatus status);
    /// The link breaks, as though the cube were gone.
    void drop_link();

    bool scanning() const { return scanning_; }
    /// The cube that is linked, or that a connect() or disconnect() is under way for.
    SimulatedCube* linked() const { return cube_; }
    /// Neither scanning nor linked: it costs no battery.
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
    /// An answer that waits for its interval.
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
    std::uint64_t streamed_ = 0;  ///< messages in this link
    std::unique_ptr<Timer> scan_timer_;
    std::unique_ptr<Timer> link_timer_;
    std::unique_ptr<Timer> answer_timer_;
    std::unique_ptr<Timer> stream_timer_;
    std::unique_ptr<Timer> firmware_timer_;
    std::unique_ptr<Timer> status_timer_;
};

}  // namespace caribou::cubes
