#pragma once

/* Private to the DDS part of platform. In C, because these headers of CycloneDDS are not valid in C++. */

#include <dds/dds.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ddsi_sertype;

/* Returns whether a matched reliable reader of another process has answered a heartbeat of this writer. From
   then on it receives every sample that is written; before, it may not have discovered the writer yet. True
   for readers of this process. `type` is the writer's. */
bool caribou_has_answered(const struct ddsi_sertype* type, const dds_guid_t* writer,
                          const dds_guid_t* reader);

/* Returns whether a heartbeat of a matched reliable writer of another process has arrived. From then on its
   samples are received. True for writers of this process. `type` is the reader's. */
bool caribou_has_heartbeat(const struct ddsi_sertype* type, const dds_guid_t* writer);

#ifdef __cplusplus
}
#endif
