/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who watches a target whose perf map a nettop has switched on: a file beside the map, locked by each of them (flock(), which ends with its process). Who
 * can lock it alone is the last one. Its content says that a nettop was the cause, and which file the map is.
 *
 * It lies in the folder of the perf map, as the target sees it, in nettop-maps-UID (0700, the target's user's): so all find it who may watch the target,
 * root and the user, from whatever namespace.
 */
#ifndef NT_TARGET_PERF_MAP_CLAIM_H
#define NT_TARGET_PERF_MAP_CLAIM_H

#include "target/perf_map_file.h"

enum { NT_CLAIM_NAME_BYTES = 64 };

/* Which target, as it is seen where the file lies. */
struct nt_claim_key {
	uint32_t ns_pid;
	uint64_t start_ticks;
	uid_t uid;
};

struct nt_claim {
	struct nt_claim_key key;
	int folder_fd;  /* of the perf map; borrowed, outlives the claim */
	int own_dir_fd; /* nettop-maps-UID */
	int fd;         /* the lock file */
	bool alone;     /* nobody else has it */
};

/* What stands in it. */
struct nt_claim_content {
	bool caused;                  /* a nettop has switched the map on, or is about to */
	bool full;                    /* one has switched it off, because it was over its limit */
	struct nt_perf_map_file file; /* inode 0 = not known yet */
};

/*
 * Open and lock it, alone if that is possible, else together with the others who have it. NT_AGAIN: one of them is just switching, ask again soon.
 * NT_END: there is none, and create is false. Errors: FORBIDDEN (what lies there is not the user's), FAILED. On NT_OK *out must be closed.
 */
enum nt_status nt_claim_open(int folder_fd, const struct nt_claim_key *key, bool create, struct nt_claim *out, struct nt_error *err);

struct nt_claim_content nt_claim_read(const struct nt_claim *claim);
enum nt_status nt_claim_write(const struct nt_claim *claim, const struct nt_claim_content *content, struct nt_error *err);

/* Let others in, who is alone; and the way back. False: somebody else is in. The claim is worth nothing after that and can only be closed. */
bool nt_claim_share(struct nt_claim *claim);
bool nt_claim_alone(struct nt_claim *claim);

/* Remove the file, and the folder when it is empty. Only who is alone. */
void nt_claim_remove(const struct nt_claim *claim);

void nt_claim_close(struct nt_claim *claim);

#endif
