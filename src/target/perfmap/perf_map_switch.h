/* SPDX-License-Identifier: GPL-2.0-only */
/* Room target/perfmap: the perf map of a target: whose, on, off, removed. */
/*
 * Switching on the perf map of a target that was started without, through its diagnostics port (.NET 8 and later); and off again, by the last nettop that
 * watches. Calls ask the target and may take up to NT_PERF_MAP_ON_NS and NT_PERF_MAP_OFF_NS, or block on a strange file system: run them by a hand.
 */
#ifndef NT_TARGET_PERF_MAP_SWITCH_H
#define NT_TARGET_PERF_MAP_SWITCH_H

#include "nettop/clock.h"
#include "target/process/target.h"

/* Switching on writes all methods that there are: 8 to 70 ms for some thousands (measured, .NET 10). */
#define NT_PERF_MAP_ON_NS  (8 * NT_NS_PER_S)
#define NT_PERF_MAP_OFF_NS NT_NS_PER_S

/* In place of a limit: nettop has set the map at the target's start, so it is on or will be soon. */
#define NT_PERF_MAP_SET UINT64_MAX

enum nt_perf_map_cause {
	NT_PERF_MAP_BY_OTHERS, /* it is on, and not by a nettop: nothing to undo */
	NT_PERF_MAP_BY_NETTOP, /* this one, or one that was there before */
	NT_PERF_MAP_NO_ROOM,   /* it is off, and stays so: it might take too much, or one was over its limit while others watch still */
};

/* A share in the perf map of a target. */
struct nt_perf_map_share;

/*
 * The folder of the map, as the target sees it; the caller's, O_PATH. Held for as long as the map may have to be removed: a target that has ended has no root any
 * more, and in a namespace of its own nothing else leads there.
 */
enum nt_status nt_perf_map_open_folder(const struct nt_target *target, int *fd, struct nt_error *err);

/*
 * Switch it on if it is off, and there is room for what it might take at once; it may become `limit_bytes` large (perf_map_room.h). NT_OK: it is on; *out is
 * the share, NULL when it is on BY_OTHERS. NT_AGAIN: another nettop is just switching, or NT_PERF_MAP_SET is not yet true. Errors: those of nt_ipc_wait(), nt_perf_map_find() and nt_claim_open();
 * FAILED with NO_ROOM. `target` is not kept, `folder_fd` is borrowed for the share's life.
 */
enum nt_status nt_perf_map_join(const struct nt_target *target, int folder_fd, uint64_t limit_bytes, enum nt_perf_map_cause *cause,
				struct nt_perf_map_share **out, struct nt_error *err);

/*
 * Of a target that was started with a map by nettop, and ended before anybody joined: remove what it has left, a file that its user has written under its name since it
 * began.
 */
void nt_perf_map_tidy(const struct nt_target *target, int folder_fd);

/* It is over its limit: remove it and switch it off, whoever else watches with it. The share remains, and can be given back. Errors: those of nt_perf_map_remove(). */
enum nt_status nt_perf_map_stop(struct nt_perf_map_share *share, const struct nt_target *target);

/* Give the share back: whoever is the last removes the map and switches it off. `target`: the same; it may have ended. Errors: those of nt_perf_map_remove(). */
enum nt_status nt_perf_map_leave(struct nt_perf_map_share *share, const struct nt_target *target);

/* Let go of it and leave everything as it is, for the keeper. */
void nt_perf_map_abandon(struct nt_perf_map_share *share);

enum { NT_PERF_MAP_UNDO_BYTES = 128 };

/* What the keeper needs, besides the folder, to do so in place of a nettop that has died: the argument of its verb "perf-map". Returns buf. */
const char *nt_perf_map_undo_text(const struct nt_target *target, char buf[NT_PERF_MAP_UNDO_BYTES]);

/* For the keeper. The folder is borrowed. */
void nt_perf_map_undo(const char *undo_text, int folder_fd);

#endif
