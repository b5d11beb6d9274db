#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "cubes/cube_link.hpp"
#include "cubes/message_trace.hpp"
#include "cubes/preference_store.hpp"
#include "cubes/radio.hpp"
#include "loop/loop.hpp"

namespace caribou::cubes {

/// The firmware that every cube is updated to.
struct Firmware {
    std::string version;
    Bytes image;
};

struct CommsOptions {
    Duration scan = std::chrono::seconds(15);
    Duration link_limit = std::chrono::seconds(10);   ///< for the radio to establish a link
    Duration answer_limit = std::chrono::seconds(5);  ///< for the cube to reply
    Duration disconnect_retry = std::chrono::seconds(1);
    std::optional<Firmware> firmware{};  ///< nullopt: cubes keep their firmware
};

/// The link to a cube over a radio: scans, selects a cube, connects, updates its firmware, and transfers
/// messages. Code that connects or disconnects here directly bypasses the coordinator, which treats that as
/// an unexpected connection or as a loss; subscribe to the coordinator instead.
///
/// The preferred cube, or the one that is expected, is selected as soon as it is seen; otherwise the one with
/// the strongest signal at the end of the scan, and of equally strong ones that with the lowest address. The
/// first cube that is ever connected becomes the preferred one.
class CubeCommsComponent final : public CubeLink, private RadioEvents {
public:
    /// All arguments passed by reference must outlive the component.
    CubeCommsComponent(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
                       CommsOptions options = {});
    ~CubeCommsComponent();
    CubeCommsComponent(const CubeCommsComponent&) = delete;
    CubeCommsComponent& operator=(const CubeCommsComponent&) = delete;

    LinkState link_state() const override { return state_; }
    /// Returns when the link state ends at the latest; nullopt if it has no limit.
    std::optional<Instant> deadline() const { return deadline_; }
    Result<void> connect() override;
    void disconnect() override;
    void add_observer(LinkEvents& observer) override { observers_.push_back(&observer); }
    void remove_observer(LinkEvents& observer) override { std::erase(observers_, &observer); }

    /// Like connect(), but only to this cube.
    Result<void> connect_to(CubeAddress address);
    /// Scans without connecting. Fails with Code::wrong_state while a cube is connected or connecting.
    Result<void> look_around();
    /// Sends a message to the connected cube. Fails with Code::wrong_state if no cube is connected.
    Result<void> send(const CubeMessage& message);

    /// Sets the name of the cube beside the robot: for a while, a connection to any cube is made to that one
    /// if it is received. The preferred cube stays the same.
    void expect(std::string name);

    std::optional<CubeAddress> preferred() const { return preferred_; }
    Result<void> prefer(CubeAddress address) { return set_preferred(address); }
    /// Removes the preference; the next cube to be connected becomes the preferred one.
    Result<void> forget() { return set_preferred(std::nullopt); }

    /// Returns the cubes seen in the last scan, each with its latest advertisement.
    const std::map<CubeAddress, Advertisement>& seen() const { return seen_; }
    /// Returns the cube that is connected or being connected to.
    std::optional<CubeAddress> cube() const { return cube_; }
    /// Returns the firmware version of the connected cube.
    const std::string& version() const { return version_; }
    const MessageTrace& trace() const { return trace_; }
    const Radio& radio() const { return radio_; }

private:
    /// The step of a connection attempt after a cube was selected.
    enum class Step : std::uint8_t { link, version, firmware };

    void on_status(const RadioStatus& status) override;
    void on_advertisement(const Advertisement& advertisement) override;
    void on_connected() override;
    void on_connect_failed(const Error& why) override;
    void on_disconnected(const Error& why) override;
    void on_value(Characteristic from, ByteView value) override;
    void on_written(Characteristic to) override;

    Result<void> begin(bool wanted, std::optional<CubeAddress> only);
    Result<void> begin_scan();
    void end_scan();
    bool is_expected(const Advertisement& advertisement) const;
    /// Returns the cube to connect to if it is seen.
    std::optional<CubeAddress> awaited() const;
    void link_to(CubeAddress address);
    void take_version(std::string version);
    void write_firmware();
    void become_ready();
    /// Ends the attempt with an error, and closes the radio's link if there is one.
    void fail_attempt(const Error& why);
    void begin_disconnecting();
    void ask_radio_to_disconnect();
    void on_closed(const Error& why);
    void on_deadline();
    void enter(LinkState state, std::optional<Duration> limit = {});
    Result<void> set_preferred(std::optional<CubeAddress> address);
    template <class Call>
    void tell(Call call);

    Loop& loop_;
    Radio& radio_;
    PreferenceStore& preferences_;
    Log& log_;
    CommsOptions options_;
    std::vector<LinkEvents*> observers_;
    LinkState state_ = LinkState::idle;
    std::optional<Instant> deadline_;  ///< of the state
    bool wanted_ = false;              ///< a connection is requested
    bool has_radio_link_ = false;      ///< the radio has a link or attempts one
    std::optional<CubeAddress> only_;  ///< the requested cube; nullopt: any
    std::optional<CubeAddress> preferred_;
    std::string expected_;  ///< name of the cube beside the robot
    Instant expected_until_ = Instant::min();
    std::optional<CubeAddress> cube_;
    std::string version_;
    Step step_ = Step::link;
    std::size_t written_ = 0;  ///< bytes of the firmware written so far
    std::map<CubeAddress, Advertisement> seen_;
    MessageTrace trace_;
    std::unique_ptr<Timer> timer_;
    std::unique_ptr<Timer> ending_;  ///< notifies of a connection that is being ended
};

}  // namespace caribou::cubes
