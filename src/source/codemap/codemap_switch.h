/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code map's share in a perf map that a nettop has switched on: taken when the target writes none and one is needed, given back at the end. Everything that asks the
 * target is done by a hand; the keeper is told before.
 */
#ifndef NT_SOURCE_CODEMAP_SWITCH_H
#define NT_SOURCE_CODEMAP_SWITCH_H

#include "source/codemap/codemap_inbox.h"
#include "source/common/files_target.h"
#include "source/common/hand.h"
#include "target/perfmap/perf_map_room.h"

/* What there is to say of it. */
struct nt_codemap_switched {
	enum nt_codemap_need need;
	bool waits;                 /* the target is given time to start before it is told to write one */
	bool by_nettop;             /* the map is on because a nettop wants it */
	bool ended;                 /* it was, and is off again although we watch: `reason` says why */
	bool left;                  /* it could not be removed: likewise */
	char reason[320], fix[320]; /* also why it cannot be switched on; "" = nothing to say */
};

struct nt_codemap_switch;

/* All are borrowed for its life. */
struct nt_codemap_switch *nt_codemap_switch_new(const struct nt_files_target *target, const struct nt_source_config *config,
						struct nt_hand *hand);
void nt_codemap_switch_free(struct nt_codemap_switch *map_switch); /* NULL is allowed; what is not given back is left to the keeper */

/* Is it needed? Returns whether that is news. */
bool nt_codemap_switch_need(struct nt_codemap_switch *map_switch, enum nt_codemap_need need);

/* Try to switch the map on, if that is still to be done. Returns when to try again; NT_TIME_UNKNOWN = never. */
nt_time nt_codemap_switch_try(struct nt_codemap_switch *map_switch);

/*
 * What a look at the map saw: it is `size` bytes large, and there is this `room` for it; not `there`: nothing has its name. A map that a nettop has switched
 * on and that takes too much, or that nobody can find any more while the runtime goes on writing it, is switched off and removed. True: it was, just now.
 */
bool nt_codemap_switch_see(struct nt_codemap_switch *map_switch, bool there, uint64_t size, const struct nt_perf_map_room *room);

/* Valid as long as the switch. */
const struct nt_codemap_switched *nt_codemap_switch_said(const struct nt_codemap_switch *map_switch);

/* Give the share back. */
void nt_codemap_switch_end(struct nt_codemap_switch *map_switch);

#endif
