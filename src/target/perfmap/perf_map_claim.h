/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who watches a target whose perf map a nettop has switched on: a lock file in our own folder (lock_dir.h), locked by each of them. Who can lock it alone is the
 * last one of this user. Its content says that a nettop was the cause, and which file the map is. It is there only for such a map.
 *
 * root and the target's user have a folder each, and look at each other's. Who has another /run than we (a nettop in a container, beside the target) is not seen.
 */
#ifndef NT_TARGET_PERF_MAP_CLAIM_H
#define NT_TARGET_PERF_MAP_CLAIM_H

#include "target/common/lock_dir.h"
#include "target/process/perf_map_file.h"

enum { NT_CLAIM_NAME_BYTES = 80 };

/* Which target. The first three are the same for whoever looks, from whatever namespace. */
struct nt_claim_key {
	uint64_t pid_ns; /* inode of its pid namespace */
	uint32_t ns_pid;
	uint64_t start_ticks;
	uint64_t own_pid_ns; /* of ours, in which it is: */
	uint32_t pid;
	uid_t uid;
	gid_t gid;
};

struct nt_claim {
	struct nt_claim_key key;
	int dir_fd; /* borrowed, outlives the claim */
	int fd;     /* the lock file */
	bool alone; /* nobody else has it */
};

/* What stands in it. */
struct nt_claim_content {
	bool caused;                  /* a nettop has switched the map on, or is about to */
	bool full;                    /* one has switched it off, because it was over its limit */
	struct nt_perf_map_file file; /* inode 0 = not known yet */
};

/* FORBIDDEN, GONE, FAILED: its namespace cannot be seen. */
enum nt_status nt_claim_key_of(const struct nt_target *target, struct nt_claim_key *out, struct nt_error *err);

/*
 * Open and lock it, alone if that is possible, else together with the others who have it. NT_AGAIN: one of them is just switching, ask again soon.
 * NT_END: there is none, and create is false. Errors: FAILED. On NT_OK *out must be closed.
 */
enum nt_status nt_claim_open(int dir_fd, const struct nt_claim_key *key, bool create, struct nt_claim *out, struct nt_error *err);

struct nt_claim_content nt_claim_read(const struct nt_claim *claim);
enum nt_status nt_claim_write(const struct nt_claim *claim, const struct nt_claim_content *content, struct nt_error *err);

/* Let others in, who is alone; and the way back. False: somebody else is in. The claim is worth nothing after that and can only be closed. */
bool nt_claim_share(struct nt_claim *claim);
bool nt_claim_alone(struct nt_claim *claim);

/* Does root's nettop, or the target's user's, have such a claim, too, whichever of them we are not? SHARED: it watches. ALONE: it comes or goes. */
enum nt_lock_state nt_claim_elsewhere(const struct nt_claim_key *key);

/* Remove the file. Only who is alone. */
void nt_claim_remove(const struct nt_claim *claim);

void nt_claim_close(struct nt_claim *claim);

/* Remove what nobody has locked and what is of no use: of targets that have ended, for a minute or longer, and what says nothing. */
void nt_claim_sweep(int dir_fd);

#endif
