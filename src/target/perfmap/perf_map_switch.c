// SPDX-License-Identifier: GPL-2.0-only
#include "target/perfmap/perf_map_switch.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/file.h"
#include "base/hanging_file.h"
#include "target/common/as_root.h"
#include "target/common/deed.h"
#include "target/perfmap/perf_map_claim.h"
#include "target/perfmap/perf_map_room.h"
#include "target/port/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct nt_perf_map_share {
	int folder_fd;   /* of the map; borrowed */
	int lock_dir_fd; /* owned */
	struct nt_claim claim;
};

struct asked {
	char root_dir[PATH_MAX], folder[PATH_MAX];
};

/* What nettop causes it must be able to remove: where that may hang it causes nothing. */
static void open_folder_there(const void *asked_bytes, const int *given, void *answer, int *fd)
{
	const struct asked *asked = asked_bytes;
	int *error = answer;
	(void)given;
	int root = open(asked->root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*fd = root < 0 ? -1 : nt_file_open_in_root(root, asked->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*error = *fd < 0 ? errno : 0;
	if (*fd >= 0 && nt_hanging_file_is(*fd)) {
		close(*fd);
		*fd = -1;
		*error = EOPNOTSUPP;
	}
	if (root >= 0)
		close(root);
}

enum nt_status nt_perf_map_open_folder(const struct nt_target *target, int *fd, struct nt_error *err)
{
	struct asked asked;
	int refused;
	snprintf(asked.root_dir, sizeof(asked.root_dir), "%s", target->root_dir);
	snprintf(asked.folder, sizeof(asked.folder), "%s", target->perf_map_dir);
	char *where = nt_format("%s%s/", target->root_dir, target->perf_map_dir);
	int error = nt_apart_do(&(struct nt_apart){ .work = open_folder_there,
						    .where = where,
						    .asked = &asked,
						    .asked_size = sizeof(asked),
						    .answer = &refused,
						    .answer_size = sizeof(refused),
						    .fd = fd });
	free(where);
	if (!error)
		error = refused;
	if (*fd < 0 && error == EOPNOTSUPP)
		return nt_error_set(
			err, NT_ERR_FAILED,
			"the perf map is not switched on, because its folder %s lies in a file system that may hang (FUSE), where it "
			"might never be removed; start the program with DOTNET_PerfMapJitDumpPath=DIR, a folder in another one",
			target->perf_map_dir);
	return *fd >= 0 ? NT_OK
			: nt_error_errno(err, NT_ERR_FAILED, error, "cannot open the folder of the target's perf map, %s",
					 target->perf_map_dir);
}

/* *sent: the runtime may have carried it out, whatever is returned. */
static enum nt_status ask(const struct nt_target *target, const uint8_t *request, size_t length, nt_time patience, bool *sent,
			  struct nt_error *err)
{
	struct nt_ipc_exchange *exchange;
	struct nt_ipc_reply reply;
	enum nt_status status = nt_ipc_start(target, request, length, nt_clock_now() + patience, &exchange, err);
	*sent = status == NT_OK;
	if (status != NT_OK)
		return status;
	status = nt_ipc_wait(exchange, &reply, err);
	if (status == NT_OK)
		status = nt_ipc_reply_result(&reply, err);
	nt_ipc_close(exchange);
	return status;
}

/* Nobody else has the claim, and the map is off. Noted before it is asked for: whoever finds a dead nettop's claim knows what to undo. */
static enum nt_status switch_on(const struct nt_target *target, const struct nt_claim *claim, struct nt_error *err)
{
	struct nt_claim_content content = { .caused = true };
	uint8_t request[64];
	bool sent = false;
	enum nt_status status = nt_claim_write(claim, &content, err);
	if (status == NT_OK)
		status = ask(target, request, nt_ipc_enable_perf_map(NT_IPC_PERF_MAP_ONLY, request, sizeof(request)), NT_PERF_MAP_ON_NS,
			     &sent, err);
	if (!sent)
		nt_claim_write(claim, &(struct nt_claim_content){ 0 }, NULL);
	if (status != NT_OK)
		return status;
	status = nt_perf_map_find(target, &content.file, err);
	if (status == NT_END)
		return nt_error_set(err, NT_ERR_FAILED, "the runtime cannot write a perf map in %s", target->perf_map_dir);
	return status == NT_OK ? nt_claim_write(claim, &content, err) : status;
}

static void switch_off(const struct nt_target *target)
{
	uint8_t request[NT_IPC_HEADER_BYTES];
	size_t length = nt_ipc_request(NT_IPC_DISABLE_PERF_MAP, request, sizeof(request));
	bool sent;
	if (ask(target, request, length, NT_PERF_MAP_OFF_NS, &sent, NULL) == NT_ERR_TIMEOUT && !sent)
		nt_ipc_post(target, request, length, NULL);
}

/*
 * The file first: while the map is on, the runtime's own descriptor tells which one it is. `target`: NULL = it has ended. Errors: those of nt_perf_map_remove(), the
 * file is still there.
 */
static enum nt_status undo(const struct nt_target *target, int folder_fd, const struct nt_claim *claim)
{
	struct nt_claim_content content = nt_claim_read(claim);
	struct nt_perf_map_file file;
	enum nt_status status = NT_OK;
	char name[NT_PERF_MAP_NAME_BYTES];
	nt_perf_map_name(claim->key.ns_pid, name);
	bool open = target && nt_perf_map_find(target, &file, NULL) == NT_OK;
	if (content.caused && (open || content.file.inode))
		status = nt_perf_map_remove(folder_fd, name, open ? &file : &content.file, claim->key.uid, claim->key.gid);
	if (content.caused && target)
		switch_off(target);
	return status;
}

/* Nobody of this user's watches any more. Of another user's who does, the map is from now on. What could not be removed keeps its claim, by which the next one does. */
static enum nt_status undo_alone(const struct nt_target *target, int folder_fd, const struct nt_claim *claim)
{
	enum nt_status status = nt_claim_elsewhere(&claim->key) != NT_LOCK_SHARED ? undo(target, folder_fd, claim) : NT_OK;
	if (status >= 0)
		nt_claim_remove(claim);
	return status;
}

/* The map is on, and this user's nettops know nothing of it. Another user's who has a claim has caused it, and counts on us to undo it if we are the last. */
static enum nt_status adopt(const struct nt_claim *claim, const struct nt_perf_map_file *file, bool set, enum nt_perf_map_cause *cause,
			    struct nt_error *err)
{
	if (!set && nt_claim_elsewhere(&claim->key) == NT_LOCK_FREE)
		return NT_OK;
	*cause = NT_PERF_MAP_BY_NETTOP;
	return nt_claim_write(claim, &(struct nt_claim_content){ .caused = true, .file = *file }, err);
}

/* What nettop switches on it removes, as that user. It is found out before. */
static enum nt_status check_removable(const struct nt_target *target, struct nt_error *err)
{
	const struct nt_deed nothing = { .kind = NT_DEED_BECOME, .uid = target->uid, .gid = target->gid, .name = "-" };
	if (nt_deed_do(&nothing) == 0)
		return NT_OK;
	nt_error_set(err, NT_ERR_FORBIDDEN,
		     "the perf map is not switched on, because it could not be removed again: that is done as uid %u, which nettop may not "
		     "become (CAP_SETUID, CAP_SETGID)",
		     (unsigned)target->uid);
	char *fix = nt_as_root(target->pid);
	nt_error_set_fix(err, fix);
	free(fix);
	return NT_ERR_FORBIDDEN;
}

/* With the claim locked. NT_OK: the map is on; *cause says by whom. */
static enum nt_status see_to_it(const struct nt_target *target, uint64_t limit_bytes, struct nt_perf_map_share *share,
				enum nt_perf_map_cause *cause, struct nt_error *err)
{
	struct nt_perf_map_file file;
	const struct nt_claim_content content = nt_claim_read(&share->claim);
	*cause = content.caused ? NT_PERF_MAP_BY_NETTOP : NT_PERF_MAP_BY_OTHERS;
	if (!share->claim.alone && content.full) {
		*cause = NT_PERF_MAP_NO_ROOM;
		return nt_error_set(err, NT_ERR_FAILED, "a nettop that still watches has switched the perf map off: it was over its limit");
	}
	if (!share->claim.alone)
		return NT_OK;
	enum nt_status status = nt_perf_map_find(target, &file, err);
	if (status == NT_OK && !content.caused)
		return adopt(&share->claim, &file, limit_bytes == NT_PERF_MAP_SET, cause, err);
	if (status != NT_END)
		return status;
	if (limit_bytes == NT_PERF_MAP_SET)
		return NT_AGAIN;
	status = check_removable(target, err);
	if (status != NT_OK)
		return status;
	status = nt_perf_map_check_room(target, share->folder_fd, limit_bytes, err);
	*cause = status == NT_OK ? NT_PERF_MAP_BY_NETTOP : NT_PERF_MAP_NO_ROOM;
	return status == NT_OK ? switch_on(target, &share->claim, err) : status;
}

static void free_share(struct nt_perf_map_share *share)
{
	nt_claim_close(&share->claim);
	if (share->lock_dir_fd >= 0)
		close(share->lock_dir_fd);
	free(share);
}

static enum nt_status join(const struct nt_target *target, uint64_t limit_bytes, struct nt_perf_map_share *share,
			   enum nt_perf_map_cause *cause, struct nt_error *err)
{
	struct nt_claim_key key;
	enum nt_status status = nt_claim_key_of(target, &key, err);
	if (status == NT_OK)
		status = nt_lock_dir_open(&share->lock_dir_fd, err);
	if (status != NT_OK)
		return status;
	nt_claim_sweep(share->lock_dir_fd);
	status = nt_claim_open(share->lock_dir_fd, &key, true, &share->claim, err);
	if (status != NT_OK)
		return status;
	status = see_to_it(target, limit_bytes, share, cause, err);
	if (status < 0 || *cause == NT_PERF_MAP_BY_OTHERS) {
		if (share->claim.alone)
			undo_alone(target, share->folder_fd, &share->claim);
		return status;
	}
	return !share->claim.alone || nt_claim_share(&share->claim) ? NT_OK : NT_AGAIN;
}

enum nt_status nt_perf_map_join(const struct nt_target *target, int folder_fd, uint64_t limit_bytes, enum nt_perf_map_cause *cause,
				struct nt_perf_map_share **out, struct nt_error *err)
{
	*out = NULL;
	*cause = NT_PERF_MAP_BY_OTHERS;
	struct nt_perf_map_share *share = nt_alloc(sizeof(*share));
	*share = (struct nt_perf_map_share){ .folder_fd = folder_fd, .lock_dir_fd = -1, .claim = { .fd = -1 } };
	enum nt_status status = join(target, limit_bytes, share, cause, err);
	if (status == NT_OK && *cause == NT_PERF_MAP_BY_NETTOP)
		*out = share;
	else
		free_share(share);
	return status;
}

enum nt_status nt_perf_map_leave(struct nt_perf_map_share *share, const struct nt_target *target)
{
	enum nt_status status = NT_OK;
	if (nt_claim_alone(&share->claim))
		status = undo_alone(nt_target_alive(target) ? target : NULL, share->folder_fd, &share->claim);
	free_share(share);
	return status;
}

void nt_perf_map_tidy(const struct nt_target *target, int folder_fd)
{
	char name[NT_PERF_MAP_NAME_BYTES];
	struct stat stat;
	nt_perf_map_name(target->ns_pid, name);
	if (nt_target_alive(target) || fstatat(folder_fd, name, &stat, AT_SYMLINK_NOFOLLOW) < 0 ||
	    nt_perf_map_is_stale(target->proc_dir, nt_target_started_at(target), &stat))
		return;
	const struct nt_perf_map_file file = { stat.st_dev, stat.st_ino };
	nt_perf_map_remove(folder_fd, name, &file, target->uid, target->gid);
}

enum nt_status nt_perf_map_stop(struct nt_perf_map_share *share, const struct nt_target *target)
{
	enum nt_status status = undo(nt_target_alive(target) ? target : NULL, share->folder_fd, &share->claim);
	if (status >= 0) /* else it is tried again when the share is given back */
		nt_claim_write(&share->claim, &(struct nt_claim_content){ .full = true }, NULL);
	return status;
}

void nt_perf_map_abandon(struct nt_perf_map_share *share)
{
	free_share(share);
}

/* ---- in place of a nettop that has died ---- */

const char *nt_perf_map_undo_text(const struct nt_target *target, char buf[NT_PERF_MAP_UNDO_BYTES])
{
	struct nt_claim_key key;
	*buf = '\0';
	if (nt_claim_key_of(target, &key, NULL) == NT_OK)
		snprintf(buf, NT_PERF_MAP_UNDO_BYTES, "%" PRIu32 ":%" PRIu64 ":%" PRIu64 ":%" PRIu32 ":%u:%u", key.pid, key.start_ticks,
			 key.pid_ns, key.ns_pid, key.uid, key.gid);
	return buf;
}

void nt_perf_map_undo(const char *undo_text, int folder_fd)
{
	struct nt_claim_key key = { 0 };
	if (sscanf(undo_text, "%" SCNu32 ":%" SCNu64 ":%" SCNu64 ":%" SCNu32 ":%u:%u", &key.pid, &key.start_ticks, &key.pid_ns, &key.ns_pid,
		   &key.uid, &key.gid) != 6)
		return;
	char pid_text[16];
	snprintf(pid_text, sizeof(pid_text), "%" PRIu32, key.pid);
	struct nt_target *target = NULL;
	if (nt_target_find("/proc", pid_text, &target, NULL) == NT_OK && target->start_ticks != key.start_ticks) {
		nt_target_free(target);
		target = NULL;
	}
	int lock_dir_fd = -1;
	struct nt_claim claim;
	if (nt_lock_dir_open(&lock_dir_fd, NULL) == NT_OK && nt_claim_open(lock_dir_fd, &key, false, &claim, NULL) == NT_OK) {
		if (claim.alone)
			undo_alone(target, folder_fd, &claim);
		nt_claim_close(&claim);
	}
	if (lock_dir_fd >= 0)
		close(lock_dir_fd);
	nt_target_free(target);
}
