// SPDX-License-Identifier: GPL-2.0-only
#include "app/new_file.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum nt_status refuse(int reason, const char *path, struct nt_error *err)
{
	enum nt_status status = reason == EACCES || reason == EPERM || reason == EROFS ? NT_ERR_FORBIDDEN : NT_ERR_FAILED;
	return nt_error_errno(err, status, reason, "cannot write %s", path);
}

/* The caller's. */
static char *folder_of(const char *path)
{
	char *copy = nt_strdup(path), *folder = nt_strdup(dirname(copy));
	free(copy);
	return folder;
}

/* Where links lead to. A path of no file stays. The caller's. */
static char *place_of(const char *path)
{
	char *place = realpath(path, NULL);
	return place ? place : nt_strdup(path);
}

/* Something that is there and cannot be replaced by a file. */
static bool is_special(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

enum nt_status nt_new_file_check(const char *path, struct nt_error *err)
{
	struct stat st;
	if (!path)
		return NT_OK;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return refuse(EISDIR, path, err);
	char *place = place_of(path), *folder = folder_of(place);
	const char *needed = is_special(place) ? place : folder;
	int reason = access(needed, W_OK) == 0 ? 0 : errno;
	free(place);
	free(folder);
	return reason ? refuse(reason, path, err) : NT_OK;
}

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

static int write_special(const char *path, void (*write)(FILE *out, const void *context), const void *context)
{
	FILE *out = fopen(path, "we");
	return out ? fill(out, write, context) : errno;
}

/* With the rights that any new file gets; of one that is replaced, its own. */
static int take_mode(int fd, const char *place)
{
	struct stat st;
	mode_t mask = umask(0);
	umask(mask);
	return fchmod(fd, stat(place, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask);
}

static int write_beside(const char *place, void (*write)(FILE *out, const void *context), const void *context)
{
	char *temporary = nt_format("%s.XXXXXX", place);
	int fd = mkostemp(temporary, O_CLOEXEC), reason = 0;
	FILE *out = fd >= 0 && take_mode(fd, place) == 0 ? fdopen(fd, "w") : NULL;
	reason = out ? fill(out, write, context) : errno;
	if (!out && fd >= 0)
		close(fd);
	if (!reason && rename(temporary, place) != 0)
		reason = errno;
	if (reason && fd >= 0)
		unlink(temporary);
	free(temporary);
	return reason;
}

enum nt_status nt_new_file_write(const char *path, void (*write)(FILE *out, const void *context), const void *context, struct nt_error *err)
{
	if (!path) {
		int reason = fill(stdout, write, context);
		/* A reader that has seen enough is no error. */
		return reason && reason != EPIPE ? refuse(reason, "to standard output", err) : NT_OK;
	}
	char *place = place_of(path);
	int reason = is_special(place) ? write_special(place, write, context) : write_beside(place, write, context);
	free(place);
	return reason ? refuse(reason, path, err) : NT_OK;
}
