#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapters/dds/dds_participant.hpp"
#include "adapters/dds/dds_transport.hpp"
#include "loop/loop.hpp"

namespace caribou {

/// Follows which writers and readers of this process do not match those of others because of their quality of
/// service. Looks once per second while there are any.
class MismatchWatch {
public:
    /// Limit of the sentences.
    static constexpr std::size_t max_mismatches = 32;
    using Told = std::function<void(const std::vector<std::string>&)>;

    /// The first three arguments must outlive this object. `told` is called with a sentence for each pair
    /// whenever the list has changed, on the loop.
    MismatchWatch(Loop& loop, const DdsParticipant& participant, const DdsTransport& transport, Told told);

private:
    void look();

    Loop& loop_;
    const DdsParticipant& participant_;
    const DdsTransport& transport_;
    Told told_;
    std::uint64_t seen_ = 0;  ///< number of reports
    std::vector<std::string> last_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
