#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "bus/byte_budget.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// One end of a sealed route: carries the latest value of each variable over a link that loses, repeats and
/// reorders datagrams, or carries nothing for hours (docs/formats/sealed-share.md). A value is sent again
/// until the other end acknowledges it or a newer value replaces it, and once more when the other end was
/// started again. Sealing and sockets belong to the caller, which passes contents that the holder of the key
/// has sealed.
///
/// Contents that are repeated later have no effect: values carry numbers, and both ends prove that they are
/// live by repeating the other end's random mark.
class ShareLine {
public:
    using Mark = std::array<std::byte, 16>;

    static constexpr Duration beacon_interval = std::chrono::seconds(5);
    /// While the other end is not known yet, or silent; longer on a slow link.
    static constexpr Duration search_interval = std::chrono::seconds(1);
    /// The other end is silent if nothing arrives for this time.
    static constexpr Duration silence = std::chrono::seconds(12);
    static constexpr Duration acknowledge_after = std::chrono::milliseconds(100);
    static constexpr Duration first_pause = std::chrono::seconds(1);  ///< before a value is sent again
    static constexpr Duration longest_pause = std::chrono::seconds(8);
    static constexpr int most_per_turn = 64;  ///< datagrams

    struct Settings {
        Mark own{};                   ///< random, of this start of the program
        bool calls = true;            ///< looks for the other end, instead of waiting for it
        double bytes_per_second = 0;  ///< 0: no limit
        std::size_t largest_content = 1138;
        std::size_t overhead = 90;  ///< bytes that a datagram has on the link in addition to its content
    };
    struct Received {
        bool is_live = false;  ///< the other end has repeated our mark: its address is right
        std::vector<Bytes> messages{};
        std::optional<Bytes> reply{};  ///< content to send to where this came from
    };
    struct Counts {
        std::uint64_t sent = 0;          ///< values
        std::uint64_t repeated = 0;      ///< values that were sent again
        std::uint64_t acknowledged = 0;  ///< values
        std::uint64_t malformed = 0;     ///< contents
    };

    explicit ShareLine(Settings settings) : settings_(settings), budget_(settings.bytes_per_second) {}
    ShareLine(const ShareLine&) = delete;
    ShareLine& operator=(const ShareLine&) = delete;
    ShareLine(ShareLine&&) = default;
    ShareLine& operator=(ShareLine&&) = default;
    ~ShareLine() = default;

    /// Offers the latest value of a variable, as an encoded message. Returns whether it replaces a value that
    /// was never sent.
    bool offer(std::string_view name, int priority, ByteView message);
    /// Returns the contents to send now. Call this after offers, and many times per second.
    std::vector<Bytes> take(Instant now);
    /// Handles the content of a datagram of the sender with this mark.
    Received receive(const Mark& sender, ByteView content, Instant now);

    /// Limits the bytes per second.
    void limit(double bytes_per_second) {
        settings_.bytes_per_second = bytes_per_second;
        budget_ = ByteBudget(bytes_per_second);
    }
    double bytes_per_second() const { return settings_.bytes_per_second; }
    bool calls() const { return settings_.calls; }
    bool answers(Instant now) const { return heard_ && now - *heard_ < silence; }
    /// Returns the number of values that are not acknowledged.
    std::size_t waiting() const;
    const Counts& counts() const { return counts_; }

private:
    struct Slot {
        int priority = 0;
        std::uint64_t order = 0;  ///< of the offer
        Bytes message{};
        std::uint32_t number = 0;
        std::size_t next_piece = 0;
        bool acknowledged = false;
        int rounds = 0;                ///< how often the whole message was sent
        Instant due{};                 ///< when it is sent again
        std::optional<Bytes> newer{};  ///< waits until the pieces of `message` are sent
    };
    struct Partial {
        std::vector<std::optional<Bytes>> pieces{};
        std::size_t missing = 0;
    };

    void put(Slot& slot, ByteView message);
    std::size_t piece_size() const;
    std::size_t pieces_of(const Slot& slot) const;
    /// Returns the values to send now, most urgent first.
    std::vector<Slot*> due_slots(Instant now);
    bool fits(const Bytes& content, const Slot& slot) const;
    Duration pause_between_beacons(Instant now) const;
    static Bytes new_content(const Mark& echo);
    void append_piece(Bytes& content, Slot& slot, Instant now);
    void append_acknowledgments(Bytes& content);
    void on_other_end(const Mark& sender, Instant now);
    void on_acknowledged(std::uint32_t number);
    void on_piece(std::uint32_t number, std::size_t piece, std::size_t pieces, ByteView bytes,
                  std::vector<Bytes>& messages);
    void on_message(std::uint32_t number, Bytes message, std::vector<Bytes>& messages);

    Settings settings_;
    ByteBudget budget_;
    Counts counts_;

    std::optional<Mark> other_{};  ///< of the live other end
    std::optional<Instant> heard_{};
    Instant next_beacon_{};

    std::map<std::string, Slot, std::less<>> slots_;
    std::map<std::uint32_t, Slot*> by_number_;
    std::uint64_t order_ = 0;
    std::uint32_t number_ = 0;

    std::deque<std::uint32_t> to_acknowledge_;
    std::optional<Instant> acknowledge_at_{};
    std::map<std::uint32_t, Partial> partials_;
    std::set<std::uint32_t> complete_;  ///< the latest numbers that arrived in whole
    std::map<std::string, std::uint32_t, std::less<>>
        latest_;  ///< number of the latest value of each variable
};

}  // namespace caribou::bus
