// SPDX-License-Identifier: GPL-2.0-only
#include "target/perfmap/perf_map_claim.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	TRIES = 8, /* somebody removed the file between our open and our lock */
	CONTENT_BYTES = 192,
	STAT_BYTES = 4096,
	SWEEP_AFTER_S = 60, /* until then the keeper of a nettop that was killed may be at work */
	FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
};

/* As it is written: whose it is, in whose eyes, and what there is to undo. */
#define FORM "of %" PRIu64 " %" PRIu32 " %s %20ju %20ju\n"

static const char *name_of(const struct nt_claim_key *key, char buf[NT_CLAIM_NAME_BYTES])
{
	snprintf(buf, NT_CLAIM_NAME_BYTES, "map-%" PRIu64 "-%" PRIu32 "-%" PRIu64, key->pid_ns, key->ns_pid, key->start_ticks);
	return buf;
}

enum nt_status nt_claim_key_of(const struct nt_target *target, struct nt_claim_key *out, struct nt_error *err)
{
	struct stat theirs, ours;
	char *path = nt_format("%s/ns/pid", target->proc_dir);
	int error = stat(path, &theirs) < 0 || stat("/proc/self/ns/pid", &ours) < 0 ? errno : 0;
	free(path);
	if (error == ENOENT || error == ESRCH)
		return nt_error_set(err, NT_ERR_GONE, "process %u (%s) has ended", target->pid, target->name);
	if (error)
		return nt_error_errno(err, error == EACCES || error == EPERM ? NT_ERR_FORBIDDEN : NT_ERR_FAILED, error,
				      "cannot see the pid namespace of process %u", target->pid);
	*out = (struct nt_claim_key){ .pid_ns = theirs.st_ino,
				      .ns_pid = target->ns_pid,
				      .start_ticks = target->start_ticks,
				      .own_pid_ns = ours.st_ino,
				      .pid = target->pid,
				      .uid = target->uid,
				      .gid = target->gid };
	return NT_OK;
}

/* Is the file that we have locked still the one that others will open? */
static bool still_there(int dir_fd, const char *name, int fd)
{
	struct stat ours, theirs;
	return fstat(fd, &ours) == 0 && fstatat(dir_fd, name, &theirs, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_ino == theirs.st_ino &&
	       ours.st_dev == theirs.st_dev;
}

static bool claim_is_there(const struct nt_claim *claim)
{
	char name[NT_CLAIM_NAME_BYTES];
	return still_there(claim->dir_fd, name_of(&claim->key, name), claim->fd);
}

static enum nt_status try_open(struct nt_claim *claim, bool create, struct nt_error *err)
{
	char name[NT_CLAIM_NAME_BYTES];
	claim->fd = openat(claim->dir_fd, name_of(&claim->key, name), create ? FLAGS | O_CREAT : FLAGS, 0600);
	if (claim->fd < 0 && errno == ENOENT && !create)
		return NT_END;
	if (claim->fd < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot open the lock file %s", name);
	claim->alone = flock(claim->fd, LOCK_EX | LOCK_NB) == 0;
	if (!claim->alone && flock(claim->fd, LOCK_SH | LOCK_NB) < 0)
		return NT_AGAIN;
	return claim_is_there(claim) ? NT_OK : NT_AGAIN;
}

enum nt_status nt_claim_open(int dir_fd, const struct nt_claim_key *key, bool create, struct nt_claim *out, struct nt_error *err)
{
	enum nt_status status = NT_AGAIN;
	for (int i = 0; status == NT_AGAIN && i < TRIES; i++) {
		*out = (struct nt_claim){ .key = *key, .dir_fd = dir_fd, .fd = -1 };
		status = try_open(out, create, err);
		if (status != NT_OK)
			nt_claim_close(out);
	}
	return status;
}

/* Also whose it is: pid 0 = nobody's. */
static struct nt_claim_content read_content(int fd, uint64_t *own_pid_ns, uint32_t *pid)
{
	char text[CONTENT_BYTES], word[8];
	struct nt_claim_content content = { 0 };
	uintmax_t device, inode;
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);
	*pid = 0;
	if (length <= 0)
		return content;
	text[length] = '\0';
	if (sscanf(text, "of %" SCNu64 " %" SCNu32 " %7s %ju %ju", own_pid_ns, pid, word, &device, &inode) != 5)
		return content;
	content.full = strcmp(word, "full") == 0;
	content.caused = strcmp(word, "on") == 0;
	if (content.caused)
		content.file = (struct nt_perf_map_file){ (dev_t)device, (ino_t)inode };
	return content;
}

struct nt_claim_content nt_claim_read(const struct nt_claim *claim)
{
	uint64_t own_pid_ns;
	uint32_t pid;
	return read_content(claim->fd, &own_pid_ns, &pid);
}

enum nt_status nt_claim_write(const struct nt_claim *claim, const struct nt_claim_content *content, struct nt_error *err)
{
	char text[CONTENT_BYTES] = "";
	int length = 0;
	/* One write replaces it whole. */
	if (content->full || content->caused)
		length = snprintf(text, sizeof(text), FORM, claim->key.own_pid_ns, claim->key.pid, content->full ? "full" : "on",
				  (uintmax_t)content->file.device, (uintmax_t)content->file.inode);
	if (pwrite(claim->fd, text, (size_t)length, 0) != length || ftruncate(claim->fd, length) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot note who switched the target's perf map on");
	return NT_OK;
}

bool nt_claim_share(struct nt_claim *claim)
{
	claim->alone = false;
	/* Between the two locks somebody may have been alone, and have removed the file. */
	return flock(claim->fd, LOCK_SH | LOCK_NB) == 0 && claim_is_there(claim);
}

bool nt_claim_alone(struct nt_claim *claim)
{
	claim->alone = flock(claim->fd, LOCK_EX | LOCK_NB) == 0 && claim_is_there(claim);
	return claim->alone;
}

enum nt_lock_state nt_claim_elsewhere(const struct nt_claim_key *key)
{
	char name[NT_CLAIM_NAME_BYTES];
	const uid_t users[] = { 0, key->uid };
	enum nt_lock_state state = NT_LOCK_FREE;
	name_of(key, name);
	for (size_t i = 0; i < 2 && state == NT_LOCK_FREE; i++)
		if (users[i] != geteuid())
			state = nt_lock_dir_state(users[i], name);
	return state;
}

void nt_claim_remove(const struct nt_claim *claim)
{
	char name[NT_CLAIM_NAME_BYTES];
	unlinkat(claim->dir_fd, name_of(&claim->key, name), 0);
}

void nt_claim_close(struct nt_claim *claim)
{
	if (claim->fd >= 0)
		close(claim->fd);
	claim->fd = -1;
}

/* ---- what is left behind ---- */

static bool is_alive(uint32_t pid, uint64_t start_ticks)
{
	char path[32], *text;
	size_t length;
	struct nt_procfs_stat stat;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	bool alive = nt_file_read(AT_FDCWD, path, STAT_BYTES, &text, &length) == 0 && nt_procfs_stat_parse(text, length, &stat) &&
		     stat.start_ticks == start_ticks;
	free(text);
	return alive;
}

/* Of a target that we could see, if it were there. */
static bool is_useless(const struct nt_claim *claim, uint64_t here, uint64_t start_ticks)
{
	uint64_t own_pid_ns = 0;
	uint32_t pid;
	struct stat stat;
	const struct nt_claim_content content = read_content(claim->fd, &own_pid_ns, &pid);
	if (fstat(claim->fd, &stat) < 0 || stat.st_mtim.tv_sec + SWEEP_AFTER_S > time(NULL))
		return false;
	return (!content.caused && !content.full) || (own_pid_ns == here && !is_alive(pid, start_ticks));
}

static void sweep_one(int dir_fd, const char *name, uint64_t here)
{
	uint64_t start_ticks;
	if (sscanf(name, "map-%*u-%*u-%" SCNu64, &start_ticks) != 1)
		return;
	struct nt_claim claim = { .dir_fd = dir_fd, .fd = openat(dir_fd, name, FLAGS) };
	if (claim.fd >= 0 && flock(claim.fd, LOCK_EX | LOCK_NB) == 0 && is_useless(&claim, here, start_ticks) &&
	    still_there(dir_fd, name, claim.fd))
		unlinkat(dir_fd, name, 0);
	nt_claim_close(&claim);
}

void nt_claim_sweep(int dir_fd)
{
	struct stat here;
	int copy = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	if (copy >= 0 && !dir)
		close(copy);
	if (!dir)
		return;
	if (stat("/proc/self/ns/pid", &here) == 0)
		for (struct dirent *entry; (entry = readdir(dir));)
			sweep_one(dir_fd, entry->d_name, here.st_ino);
	closedir(dir);
}
