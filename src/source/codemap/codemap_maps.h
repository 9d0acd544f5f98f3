/* SPDX-License-Identifier: GPL-2.0-only */
/* The target's executable mappings from /proc/PID/maps as MAP events: all of them at first, later those that are new. */
#ifndef NT_SOURCE_CODEMAP_MAPS_H
#define NT_SOURCE_CODEMAP_MAPS_H

#include "source/codemap/codemap_out.h"
#include "source/common/files_target.h"
#include "source/common/hand.h"

struct nt_codemap_maps;

/* Both are borrowed for its life. */
struct nt_codemap_maps *nt_codemap_maps_new(const struct nt_files_target *target, struct nt_hand *hand);
void nt_codemap_maps_free(struct nt_codemap_maps *maps); /* NULL is allowed */

/* Read, report what is new, flush. When that is due: after 1 s at first, 8 s in the end, later where reading is dear. */
void nt_codemap_maps_poll(struct nt_codemap_maps *maps, struct nt_codemap_out *out);
nt_time nt_codemap_maps_due(const struct nt_codemap_maps *maps);

/* Some are missing: due soon, which is at once but where reading is dear; a NAME of NT_MAPPINGS_IMAGE with that place follows. */
void nt_codemap_maps_want(struct nt_codemap_maps *maps, uint64_t question);
bool nt_codemap_maps_are_wanted(const struct nt_codemap_maps *maps); /* and have not been read since */

#endif
