#include "adapters/dds/dds_contact.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_entity.h>

#include <dds/ddsi/ddsi_endpoint.h>
#include <dds/ddsi/ddsi_entity_index.h>
#include <dds/ddsi/ddsi_entity_match.h>
#include <dds/ddsi/ddsi_proxy_endpoint.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_thread.h>

static uint32_t word_of(const dds_guid_t* guid, unsigned word) {
    const uint8_t* const bytes = guid->v + 4 * word;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static ddsi_guid_t to_guid(const dds_guid_t* guid) {
    const ddsi_guid_t made = {.prefix.u = {word_of(guid, 0), word_of(guid, 1), word_of(guid, 2)},
                              .entityid.u = word_of(guid, 3)};
    return made;
}

static const struct ddsi_domaingv* domain_of(const struct ddsi_sertype* type) {
    return ddsrt_atomic_ldvoidp(&type->gv);
}

static bool has_answered(struct ddsi_writer* writer, const ddsi_guid_t* reader) {
    ddsrt_mutex_lock(&writer->e.lock);
    const struct ddsi_wr_prd_match* const match =
        ddsrt_avl_lookup(&ddsi_wr_readers_treedef, &writer->readers, reader);
    /* A reader that has discovered the writer but received no heartbeat sends acknowledgement 0, which counts
       as a reply while there are no samples. */
    const bool answered = match == NULL || (match->has_replied_to_hb && match->prev_acknack > 0);
    ddsrt_mutex_unlock(&writer->e.lock);
    return answered;
}

bool caribou_has_answered(const struct ddsi_sertype* type, const dds_guid_t* writer,
                          const dds_guid_t* reader) {
    const struct ddsi_domaingv* const domain = domain_of(type);
    const ddsi_guid_t writer_guid = to_guid(writer);
    const ddsi_guid_t reader_guid = to_guid(reader);
    struct thread_state* const thread = lookup_thread_state();
    thread_state_awake(thread, domain); /* keeps what is looked up alive */
    struct ddsi_writer* const found = entidx_lookup_writer_guid(domain->entity_index, &writer_guid);
    const bool answered = found == NULL ||
                          entidx_lookup_proxy_reader_guid(domain->entity_index, &reader_guid) == NULL ||
                          has_answered(found, &reader_guid);
    thread_state_asleep(thread);
    return answered;
}

bool caribou_has_heartbeat(const struct ddsi_sertype* type, const dds_guid_t* writer) {
    const struct ddsi_domaingv* const domain = domain_of(type);
    const ddsi_guid_t guid = to_guid(writer);
    struct thread_state* const thread = lookup_thread_state();
    thread_state_awake(thread, domain);
    struct ddsi_proxy_writer* const found = entidx_lookup_proxy_writer_guid(domain->entity_index, &guid);
    bool has = true;
    if (found != NULL) {
        ddsrt_mutex_lock(&found->e.lock);
        has = found->have_seen_heartbeat;
        ddsrt_mutex_unlock(&found->e.lock);
    }
    thread_state_asleep(thread);
    return has;
}
