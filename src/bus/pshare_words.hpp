#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou::bus {

/// Where the multicast channels of pShare are: channel N is port `base_port` + N of the group.
struct PshareChannels {
    std::string group = "224.1.1.11";
    int base_port = 24460;
};

/// A UDP address, and the name of its channel if it is a multicast channel: `multicast_8`.
struct PshareAddress {
    Address at{};
    std::string channel{};

    /// Returns `127.0.0.1:9300`, or `224.1.1.11:24468:multicast_8`.
    std::string text() const;
    friend bool operator==(const PshareAddress&, const PshareAddress&) = default;
};

/// Which values are sent, under which name, to one address.
struct PshareOutput {
    std::string source{};  ///< a variable, or a pattern
    std::string writer{};  ///< pattern of the clients whose values are sent; empty: all
    /// The name there: empty for the same, for a pattern the prefix; `^` for the part that the only `*`
    /// matched.
    std::string name{};
    PshareAddress to{};
    double frequency = 0;  ///< most sends per second; 0: no limit
    double duration = -1;  ///< seconds until the route is silent; < 0: never; 0: the latest value only
    std::int64_t max_shares = -1;  ///< sends until the route is silent; < 0: no limit
    std::string key{};             ///< name of the key that seals the route; empty: a plain one
    int priority = 5;              ///< 0 to 9: which values go first where the bytes are limited
    double budget = 0;             ///< bytes per second to this address; 0: no limit

    bool is_pattern() const;
    friend bool operator==(const PshareOutput&, const PshareOutput&) = default;
};

/// Where values are received. Port 0 is any free one.
struct PshareInput {
    PshareAddress at{};
    std::vector<std::string> white_list{};  ///< patterns of names; empty: all
    std::vector<std::string> keys{};  ///< names of keys; empty: plain datagrams, otherwise only sealed ones

    friend bool operator==(const PshareInput&, const PshareInput&) = default;
};

using PshareOutputs = std::vector<PshareOutput>;
using PshareInputs = std::vector<PshareInput>;

/// Parses the value of `Output`, in the long form `src_name=X, route=host:port & multicast_8, …` or in the
/// short form `X -> Y:host:port@5 & multicast_8`: one output per address.
Result<PshareOutputs> parse_pshare_output(std::string_view text, const PshareChannels& channels);
/// Parses the value of `Input`: `route = localhost:9301 & multicast_9, white_list = NODE_*`, or addresses
/// alone.
Result<PshareInputs> parse_pshare_input(std::string_view text, const PshareChannels& channels);
/// Parses the value of PSHARE_CMD: `cmd=output, …` or `cmd=input, …` in the long form.
Result<std::variant<PshareOutputs, PshareInputs>> parse_pshare_command(std::string_view text,
                                                                       const PshareChannels& channels);

/// Returns the name under which an output with a pattern sends a variable that matches it.
std::string pshare_name(const PshareOutput& output, std::string_view variable);

}  // namespace caribou::bus
