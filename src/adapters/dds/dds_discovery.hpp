#pragma once

// Private to the DDS part of platform: includes CycloneDDS's header.

#include <dds/dds.h>

#include <array>
#include <string>

namespace caribou {

/// Calls `with` for each existing writer, or each reader, that a participant has discovered, its own
/// included. `builtin_topic` is DDS_BUILTIN_TOPIC_DCPSPUBLICATION or DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION.
template <class F>
void each_endpoint(dds_entity_t participant, dds_entity_t builtin_topic, F with) {
    const dds_entity_t reader = dds_create_reader(participant, builtin_topic, nullptr, nullptr);
    for (;;) {
        std::array<void*, 64> samples{};
        std::array<dds_sample_info_t, 64> infos{};
        const dds_return_t count =
            dds_take(reader, samples.data(), infos.data(), samples.size(), samples.size());
        if (count <= 0) break;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            if (infos[i].valid_data && infos[i].instance_state == DDS_IST_ALIVE)
                with(*static_cast<const dds_builtintopic_endpoint_t*>(samples[i]));
        dds_return_loan(reader, samples.data(), count);
    }
    dds_delete(reader);
}

/// Returns the name of the policy that keeps a writer and a reader of the same topic from matching, or an
/// empty string.
std::string policy_between(const dds_qos_t* writer, const dds_qos_t* reader);
/// Returns the policies for people: `reliable, volatile`.
std::string profile_text(const dds_qos_t* qos);

/// Returns the message about a writer and a reader that do not match.
std::string mismatch_text(const std::string& topic, const std::string& writer,
                          const std::string& writer_profile, const std::string& reader,
                          const std::string& reader_profile, const std::string& policy);

}  // namespace caribou
