#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/pshare_words.hpp"
#include "loop/time.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Sharing variables as pShare does: each value is one datagram, which contains one message. Decides what is
/// sent and what is accepted; sockets and the connection to the broker belong to the caller.
///
/// A value leaves the community in which it was written, and no other one, unless `forwards`. So values
/// cannot loop, which they can in the original.
class Pshare {
public:
    /// A message of more bytes is not sent.
    static constexpr std::size_t largest_message = 48 * 1024;
    static constexpr std::size_t most_routes = 10'000;
    static constexpr std::size_t most_inputs = 256;

    struct Counts {
        std::uint64_t foreign = 0;      ///< not sent: from another community
        std::uint64_t too_large = 0;    ///< not sent
        std::uint64_t malformed = 0;    ///< received, but not a message
        std::uint64_t not_a_value = 0;  ///< received: a message of another type than a value
        std::uint64_t not_listed = 0;   ///< received, but not in the white list
        std::uint64_t not_sealed = 0;   ///< received at a sealed input, but not sealed with one of its keys
    };
    struct Route {
        PshareOutput output;
        std::string name;  ///< there
        Instant created{};
        std::optional<Instant> last{};
        std::int64_t sent = 0;
        std::uint64_t spared = 0;  ///< not sent: too early for the frequency, or replaced while it waited
    };
    struct Input {
        PshareInput input;
        std::uint64_t received = 0;
    };
    /// What the caller must register at the broker, also again.
    struct Registration {
        std::string variable;
        std::string writer{};  ///< pattern; empty: not a pattern, but the variable alone
    };
    struct Parcel {
        const PshareOutput& route;  ///< valid until the next call
        std::string_view name;      ///< there; likewise
        Bytes bytes;
    };

    explicit Pshare(bool forwards = false) : forwards_(forwards) {}

    /// Adds a route, or replaces limits and counters of the same route. Fails if there are too many.
    Result<Registration> add(const PshareOutput& output, Instant now);
    /// Adds an input, and returns its index. The caller checks its address.
    Result<std::size_t> add(const PshareInput& input);

    /// Returns the datagrams for a value of this broker, whose community is `here`.
    std::vector<Parcel> outgoing(const wire::MessageView& value, std::string_view here, Instant now);
    /// Returns the value in a datagram that has arrived at an input, or nullopt if it is not accepted. The
    /// fields refer to the datagram.
    std::optional<wire::MessageView> incoming(std::size_t input, ByteView datagram);

    /// The values of PSHARE_OUTPUT_SUMMARY and PSHARE_INPUT_SUMMARY, which uFldShoreBroker and uFldNodeBroker
    /// parse.
    std::string output_summary() const;
    std::string input_summary() const;
    /// Returns routes and inputs with their counts, for people.
    std::string table() const;
    const Counts& counts() const { return counts_; }
    /// Corrects the counts of a route whose parcel replaced one that waited. Call it before the next
    /// outgoing() or add().
    void count_replaced(const Parcel& parcel);
    void count_not_sealed() { ++counts_.not_sealed; }

private:
    Result<void> put(const PshareOutput& output, std::string name, Instant now);
    /// Adds the routes that the first matching pattern makes for a variable.
    void expand(const wire::MessageView& value, Instant now);
    static bool may_send(Route& route, Instant now);
    std::size_t route_count() const;

    bool forwards_;
    std::map<std::string, std::vector<Route>, std::less<>> routes_;           ///< by variable
    std::map<std::string, std::vector<PshareOutput>, std::less<>> patterns_;  ///< by `VARIABLE:CLIENT`
    std::set<std::string, std::less<>> expanded_;                             ///< variables
    std::vector<Input> inputs_;
    Counts counts_;
};

}  // namespace caribou::bus
