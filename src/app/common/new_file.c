// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/new_file.h"

#include "base/own_folder.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FD_DIGITS = 9 };

static enum nt_status refuse(int reason, const char *path, struct nt_error *err)
{
	enum nt_status status = reason == EACCES || reason == EPERM || reason == EROFS ? NT_ERR_FORBIDDEN : NT_ERR_FAILED;
	return nt_error_errno(err, status, reason, "cannot write %s", path);
}

static enum nt_status refuse_because(const char *reason, const char *path, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_FORBIDDEN, "cannot write %s: %s; name another file", path, reason);
}

/* ---- what the path is ---- */

struct place {
	int folder; /* below 0: none, it is a descriptor of ours */
	const char *name;
	int fd;          /* of a descriptor of ours; else -1 */
	bool is_special; /* there, and written to */
};

/* Links of the kernel's, to what the shell that started us has opened, `>(command)` too. -1: no such name. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t length = strlen(folders[i]);
		const char *digits = path + length;
		if (strncmp(path, folders[i], length) != 0)
			continue;
		size_t count = strspn(digits, "0123456789");
		return count && count <= FD_DIGITS && !digits[count] ? atoi(digits) : -1;
	}
	return -1;
}

/* Why what lies there is neither replaced nor written to; NULL: it may be. */
static const char *objection(const struct stat *st)
{
	bool is_ours = st->st_uid == geteuid();
	if (S_ISLNK(st->st_mode))
		return "it is a link";
	if (S_ISCHR(st->st_mode))
		return is_ours || st->st_uid == 0 ? NULL : "it is a device of another user";
	if (S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode))
		return is_ours ? NULL : "it belongs to another user";
	return "it is no file";
}

static void leave(const struct place *place)
{
	if (place->folder >= 0)
		close(place->folder);
}

/* An error leaves nothing open. */
static enum nt_status find(const char *path, struct place *place, struct nt_error *err)
{
	struct stat st;
	*place = (struct place){ .folder = -1, .fd = descriptor_of(path) };
	if (place->fd >= 0)
		return NT_OK;
	place->folder = nt_own_folder_open(path, false, &place->name);
	if (place->folder < 0)
		return errno == ELOOP ? refuse_because("a link of another user leads there", path, err) : refuse(errno, path, err);
	struct nt_plain_rights rights = nt_plain_rights_begin();
	bool there = fstatat(place->folder, place->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	nt_plain_rights_end(rights);
	if (!there) {
		int reason = errno;
		if (reason == ENOENT)
			return NT_OK;
		leave(place);
		return refuse(reason, path, err);
	}
	const char *reason = objection(&st);
	place->is_special = !S_ISREG(st.st_mode);
	if (!reason)
		return NT_OK;
	leave(place);
	return S_ISDIR(st.st_mode) ? refuse(EISDIR, path, err) : refuse_because(reason, path, err);
}

enum nt_status nt_new_file_check(const char *path, struct nt_error *err)
{
	struct place place;
	enum nt_status status = path ? find(path, &place, err) : NT_OK;
	if (!path || status != NT_OK)
		return status;
	int reason = 0;
	struct nt_plain_rights rights = nt_plain_rights_begin();
	if (place.fd >= 0)
		reason = fcntl(place.fd, F_GETFD) < 0 ? errno : 0;
	else if (faccessat(place.folder, place.is_special ? place.name : ".", W_OK, AT_EACCESS) != 0)
		reason = errno;
	nt_plain_rights_end(rights);
	leave(&place);
	return reason ? refuse(reason, path, err) : NT_OK;
}

/* ---- writing ---- */

/* Takes `out`, unless it is standard output. Returns 0 or an errno value. */
static int fill(FILE *out, void (*write)(FILE *out, const void *context), const void *context)
{
	errno = 0;
	write(out, context);
	int reason = fflush(out) == 0 && !ferror(out) ? 0 : errno ? errno : EIO;
	if (out != stdout && fclose(out) != 0 && !reason)
		reason = errno;
	return reason;
}

/* Takes `fd`, which may be below 0 with errno. */
static int fill_descriptor(int fd, void (*write)(FILE *out, const void *context), const void *context)
{
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
	int reason = out ? fill(out, write, context) : errno;
	if (!out && fd >= 0)
		close(fd);
	return reason;
}

/* Another thing may lie there by now: it is judged again before it is opened, which does something to a device and waits at a FIFO. */
static int open_special(const struct place *place)
{
	struct stat st;
	char path[32];
	struct nt_plain_rights rights = nt_plain_rights_begin();
	int seen = openat(place->folder, place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd = -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", seen);
	int reason = seen < 0 ? errno : EPERM;
	if (seen >= 0 && fstat(seen, &st) == 0 && !S_ISREG(st.st_mode) && !objection(&st)) {
		fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
		reason = errno;
	}
	nt_plain_rights_end(rights);
	if (seen >= 0)
		close(seen);
	errno = reason;
	return fd;
}

static int write_beside(const struct place *place, void (*write)(FILE *out, const void *context), const void *context)
{
	char temporary[NAME_MAX + 1];
	int fd = nt_own_folder_new_file(place->folder, place->name, temporary);
	if (fd < 0)
		return errno;
	int reason = fill_descriptor(fcntl(fd, F_DUPFD_CLOEXEC, 0), write, context);
	if (!reason && !nt_own_folder_keep(place->folder, fd, place->name, temporary))
		reason = errno;
	nt_own_folder_discard(place->folder, temporary);
	close(fd);
	return reason;
}

enum nt_status nt_new_file_write(const char *path, void (*write)(FILE *out, const void *context), const void *context, struct nt_error *err)
{
	if (!path) {
		int reason = fill(stdout, write, context);
		/* A reader that has seen enough is no error. */
		return reason && reason != EPIPE ? refuse(reason, "to standard output", err) : NT_OK;
	}
	struct place place;
	enum nt_status status = find(path, &place, err);
	if (status != NT_OK)
		return status;
	int reason;
	if (place.fd >= 0)
		reason = fill_descriptor(fcntl(place.fd, F_DUPFD_CLOEXEC, 0), write, context);
	else if (place.is_special)
		reason = fill_descriptor(open_special(&place), write, context);
	else
		reason = write_beside(&place, write, context);
	leave(&place);
	return reason ? refuse(reason, path, err) : NT_OK;
}

enum nt_status nt_new_file_move(const char *path, int folder, const char *name, struct nt_error *err)
{
	struct place place;
	enum nt_status status = find(path, &place, err);
	if (status != NT_OK)
		return status;
	struct nt_plain_rights rights = nt_plain_rights_begin();
	bool moved = place.fd < 0 && !place.is_special && renameat(folder, name, place.folder, place.name) == 0;
	nt_plain_rights_end(rights);
	leave(&place);
	return moved ? NT_OK : NT_AGAIN;
}
