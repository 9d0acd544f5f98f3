// SPDX-License-Identifier: GPL-2.0-only
#include "target/perf_map_claim.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 8 /* somebody removed the file between our open and our lock */, CONTENT_BYTES = 128 };

static const char *dir_name(const struct nt_claim_key *key, char buf[NT_CLAIM_NAME_BYTES])
{
	snprintf(buf, NT_CLAIM_NAME_BYTES, "nettop-maps-%u", key->uid);
	return buf;
}

static const char *file_name(const struct nt_claim_key *key, char buf[NT_CLAIM_NAME_BYTES])
{
	snprintf(buf, NT_CLAIM_NAME_BYTES, "%u-%" PRIu64, key->ns_pid, key->start_ticks);
	return buf;
}

/* What root makes is the user's, so that the user's own nettop can use it. */
static void give_to_user(int fd, uid_t uid)
{
	if (geteuid() == 0 && uid != 0 && fchown(fd, uid, (gid_t)-1) < 0)
		return; /* seen by the check of the owner */
}

static enum nt_status strange(const char *what, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_FORBIDDEN, "%s, beside the target's perf map, is not its user's alone: not used", what);
}

/* NT_END: it is not there. */
static enum nt_status open_dir(int folder_fd, const struct nt_claim_key *key, bool create, int *out, struct nt_error *err)
{
	char name[NT_CLAIM_NAME_BYTES];
	dir_name(key, name);
	bool made = create && mkdirat(folder_fd, name, 0700) == 0;
	int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && !create)
		return NT_END;
	if (fd < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the folder %s beside the target's perf map", name);
	if (made)
		give_to_user(fd, key->uid);
	struct stat stat;
	if (fstat(fd, &stat) < 0 || stat.st_uid != key->uid || (stat.st_mode & 077)) {
		close(fd);
		return strange(name, err);
	}
	*out = fd;
	return NT_OK;
}

static enum nt_status open_file(int dir_fd, const struct nt_claim_key *key, bool create, int *out, struct nt_error *err)
{
	char name[NT_CLAIM_NAME_BYTES];
	file_name(key, name);
	enum { FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
	int fd = create ? openat(dir_fd, name, FLAGS | O_CREAT | O_EXCL, 0600) : -1;
	if (fd >= 0)
		give_to_user(fd, key->uid);
	else
		fd = openat(dir_fd, name, FLAGS);
	if (fd < 0 && errno == ENOENT)
		return create ? NT_AGAIN : NT_END;
	if (fd < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot open %s beside the target's perf map", name);
	struct stat stat;
	if (fstat(fd, &stat) < 0 || !S_ISREG(stat.st_mode) || stat.st_uid != key->uid || stat.st_nlink > 1) {
		close(fd);
		return strange(name, err);
	}
	*out = fd;
	return NT_OK;
}

/* Is the file that we have locked still the one that others will open? */
static bool still_there(const struct nt_claim *claim)
{
	char name[NT_CLAIM_NAME_BYTES];
	struct stat ours, theirs;
	return fstat(claim->fd, &ours) == 0 &&
	       fstatat(claim->own_dir_fd, file_name(&claim->key, name), &theirs, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

static enum nt_status try_open(struct nt_claim *claim, bool create, struct nt_error *err)
{
	enum nt_status status = open_dir(claim->folder_fd, &claim->key, create, &claim->own_dir_fd, err);
	if (status == NT_OK)
		status = open_file(claim->own_dir_fd, &claim->key, create, &claim->fd, err);
	if (status != NT_OK)
		return status;
	claim->alone = flock(claim->fd, LOCK_EX | LOCK_NB) == 0;
	if (!claim->alone && flock(claim->fd, LOCK_SH | LOCK_NB) < 0)
		return NT_AGAIN;
	return still_there(claim) ? NT_OK : NT_AGAIN;
}

enum nt_status nt_claim_open(int folder_fd, const struct nt_claim_key *key, bool create, struct nt_claim *out, struct nt_error *err)
{
	enum nt_status status = NT_AGAIN;
	for (int i = 0; status == NT_AGAIN && i < TRIES; i++) {
		*out = (struct nt_claim){ .key = *key, .folder_fd = folder_fd, .own_dir_fd = -1, .fd = -1 };
		status = try_open(out, create, err);
		if (status != NT_OK)
			nt_claim_close(out);
	}
	return status;
}

struct nt_claim_content nt_claim_read(const struct nt_claim *claim)
{
	char text[CONTENT_BYTES];
	struct nt_claim_content content = { 0 };
	ssize_t length = pread(claim->fd, text, sizeof(text) - 1, 0);
	uint64_t device, inode;
	if (length <= 0)
		return content;
	text[length] = '\0';
	content.full = strncmp(text, "full", 4) == 0;
	content.caused = sscanf(text, "on %" SCNu64 " %" SCNu64, &device, &inode) == 2;
	if (content.caused)
		content.file = (struct nt_perf_map_file){ (dev_t)device, (ino_t)inode };
	return content;
}

enum nt_status nt_claim_write(const struct nt_claim *claim, const struct nt_claim_content *content, struct nt_error *err)
{
	char text[CONTENT_BYTES] = "";
	int length = 0;
	/* Always as long, so that one write replaces it whole. */
	if (content->full)
		length = snprintf(text, sizeof(text), "full\n");
	else if (content->caused)
		length = snprintf(text, sizeof(text), "on %20ju %20ju\n", (uintmax_t)content->file.device, (uintmax_t)content->file.inode);
	if (pwrite(claim->fd, text, (size_t)length, 0) != length || ftruncate(claim->fd, length) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot note beside the target's perf map who switched it on");
	return NT_OK;
}

bool nt_claim_share(struct nt_claim *claim)
{
	claim->alone = false;
	/* Between the two locks somebody may have been alone, and have removed the file. */
	return flock(claim->fd, LOCK_SH | LOCK_NB) == 0 && still_there(claim);
}

bool nt_claim_alone(struct nt_claim *claim)
{
	claim->alone = flock(claim->fd, LOCK_EX | LOCK_NB) == 0 && still_there(claim);
	return claim->alone;
}

void nt_claim_remove(const struct nt_claim *claim)
{
	char name[NT_CLAIM_NAME_BYTES];
	unlinkat(claim->own_dir_fd, file_name(&claim->key, name), 0);
	unlinkat(claim->folder_fd, dir_name(&claim->key, name), AT_REMOVEDIR);
}

void nt_claim_close(struct nt_claim *claim)
{
	if (claim->fd >= 0)
		close(claim->fd);
	if (claim->own_dir_fd >= 0)
		close(claim->own_dir_fd);
	claim->fd = claim->own_dir_fd = -1;
}
