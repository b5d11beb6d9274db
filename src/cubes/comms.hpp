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

/// What every cube is to run.
struct Firmware {
    std::string version;
    Bytes image;
};

struct CommsOptions {
    Duration scan = std::chrono::seconds(15);
    Duration link_limit = std::chrono::seconds(10);   ///< until the radio has a link
    Duration answer_limit = std::chrono::seconds(5);  ///< until the cube answers
    Duration disconnect_retry = std::chrono::seconds(1);
    std::optional<Firmware> firmware{};  ///< none: a cube keeps what it has
};

/// The link to a cube, over a radio: scans, chooses, connects, sees to the firmware, and passes
/// messages. Whoever connects and disconnects here by hand surprises the coordinator, which takes
/// that for an unexpected connection or a loss; subscribe there instead.
///
/// The preferred cube is chosen as soon as it is seen, else, at the end of the scan, the strongest;
/// of equal ones that of the lowest address. The first cube ever connected becomes preferred.
class CubeCommsComponent final : public CubeLink, private RadioEvents {
public:
    /// All of them outlive it.
    CubeCommsComponent(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
                       CommsOptions options = {});
    ~CubeCommsComponent();
    CubeCommsComponent(const CubeCommsComponent&) = delete;
    CubeCommsComponent& operator=(const CubeCommsComponent&) = delete;

    LinkState link_state() const override { return state_; }
    Result<void> connect() override;
    void disconnect() override;
    void add_observer(LinkEvents& observer) override { observers_.push_back(&observer); }
    void remove_observer(LinkEvents& observer) override { std::erase(observers_, &observer); }

    /// As connect(), but to this cube and no other.
    Result<void> connect_to(CubeAddress address);
    /// Scans without connecting.
    Result<void> look_around();
    /// wrong_state: no cube is connected.
    Result<void> send(const CubeMessage& message);

    std::optional<CubeAddress> preferred() const { return preferred_; }
    Result<void> prefer(CubeAddress address) { return set_preferred(address); }
    /// There is no preferred cube any more; the next one to be connected becomes it.
    Result<void> forget() { return set_preferred(std::nullopt); }

    /// The cubes that were seen, each with its latest advertisement.
    const std::map<CubeAddress, Advertisement>& seen() const { return seen_; }
    /// The cube of the link or of the attempt.
    std::optional<CubeAddress> cube() const { return cube_; }
    /// Of the connected cube's firmware.
    const std::string& version() const { return version_; }
    const MessageTrace& trace() const { return trace_; }
    const Radio& radio() const { return radio_; }

private:
    /// What an attempt waits for once it has chosen a cube.
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
    void link_to(CubeAddress address);
    void take_version(std::string version);
    void write_firmware();
    void become_ready();
    /// The attempt ends here; the radio may have to be told.
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
    bool wanted_ = false;              ///< a connection
    bool has_radio_link_ = false;      ///< or an attempt of the radio
    std::optional<CubeAddress> only_;  ///< the cube that is wanted; none: any
    std::optional<CubeAddress> preferred_;
    std::optional<CubeAddress> cube_;
    std::string version_;
    Step step_ = Step::link;
    std::size_t written_ = 0;  ///< of the firmware
    std::map<CubeAddress, Advertisement> seen_;
    MessageTrace trace_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::cubes
