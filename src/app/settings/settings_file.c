// SPDX-License-Identifier: GPL-2.0-only
#include "app/settings/settings_file.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/own_folder.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct nt_settings_file {
	char *path; /* owned; NULL = there is no place for it */
	char *text; /* owned; as it was read or written last; NULL = it was not there */
	size_t length;
	struct nt_settings settings;
	struct nt_text_buffer problems;
	bool off;
	bool asked; /* it has changed, and that was said */
};

/* Names that are no absolute paths are to be passed over. */
static char *find_path(void)
{
	static const struct {
		const char *variable, *below;
	} places[] = { { "XDG_CONFIG_HOME", "nettop/config" }, { "HOME", ".config/nettop/config" } };
	char path[PATH_MAX];
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *folder = getenv(places[i].variable);
		if (folder && *folder == '/' && snprintf(path, sizeof(path), "%s/%s", folder, places[i].below) < (int)sizeof(path))
			return nt_strdup(path);
	}
	return NULL;
}

/* Whose it is decides what may be in it: our own, and root's, who may anything. */
static bool is_trusted(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == 0);
}

static int open_in(int folder, const char *name, int *out)
{
	struct nt_plain_rights rights = nt_plain_rights_begin();
	int named = openat(folder, name, NT_FILE_NAMED), reason = named < 0 ? errno : 0;
	if (!reason && !is_trusted(named))
		reason = EPERM;
	if (!reason)
		reason = nt_file_open_named(named, out);
	nt_plain_rights_end(rights);
	if (named >= 0)
		close(named);
	return reason;
}

/* Returns 0 or an errno value: ENOENT = there is none, EPERM = it or its folder is another user's, EFBIG = it is too large for one. */
static int read_text(const char *path, char **text, size_t *length)
{
	const char *name;
	int fd = -1, folder = nt_own_folder_open(path, false, &name), reason = folder < 0 ? errno : 0;
	*text = NULL;
	*length = 0;
	if (folder < 0)
		return reason == ELOOP ? EPERM : reason;
	reason = is_trusted(folder) ? open_in(folder, name, &fd) : EPERM;
	if (!reason)
		reason = nt_file_read_open(fd, NT_SETTINGS_FILE_MAX + 1, text, length);
	if (!reason && *length > NT_SETTINGS_FILE_MAX) {
		free(*text);
		*text = NULL;
		reason = EFBIG;
	}
	if (fd >= 0)
		close(fd);
	close(folder);
	return reason;
}

static void complain(struct nt_settings_file *file, int reason)
{
	struct nt_error err = { 0 };
	char text[NT_ERROR_TEXT];
	if (reason == EPERM)
		nt_error_set(&err, NT_ERR_FORBIDDEN,
			     "%s is not read: it belongs to another user than who runs nettop; set XDG_CONFIG_HOME, or say --no-config",
			     file->path);
	else if (reason == EFBIG)
		nt_error_set(&err, NT_ERR_FAILED, "%s is not read: it is longer than 64 KB, no file of settings; make it shorter",
			     file->path);
	else
		nt_error_errno(&err, NT_ERR_FAILED, reason, "cannot read %s (make it readable, or say --no-config)", file->path);
	nt_text_put(&file->problems, nt_error_text(&err, text, sizeof(text)));
	nt_text_put(&file->problems, "\n");
}

struct nt_settings_file *nt_settings_file_open(bool off)
{
	struct nt_settings_file *file = nt_alloc(sizeof(*file));
	nt_settings_usual(&file->settings);
	file->off = off;
	file->path = off ? NULL : find_path();
	int reason = file->path ? read_text(file->path, &file->text, &file->length) : ENOENT;
	if (!reason)
		nt_settings_text_take(file->path, file->text, file->length, &file->settings, &file->problems);
	else if (reason != ENOENT)
		complain(file, reason);
	nt_text_put_char(&file->problems, '\0');
	return file;
}

void nt_settings_file_free(struct nt_settings_file *file)
{
	if (!file)
		return;
	nt_text_buffer_fini(&file->problems);
	free(file->path);
	free(file->text);
	free(file);
}

struct nt_settings *nt_settings_file_chosen(struct nt_settings_file *file)
{
	return &file->settings;
}

const char *nt_settings_file_problems(const struct nt_settings_file *file)
{
	return file->problems.bytes;
}

const char *nt_settings_file_path(const struct nt_settings_file *file)
{
	return file->path;
}

const char *nt_settings_file_text(const struct nt_settings_file *file, size_t *length)
{
	*length = file->length;
	return file->text ? file->text : "";
}

/* ---- keeping it ---- */

static enum nt_status refuse(const char *path, int reason, struct nt_error *err)
{
	return nt_error_errno(err, reason == EACCES || reason == EROFS ? NT_ERR_FORBIDDEN : NT_ERR_FAILED, reason, "cannot write %s", path);
}

static enum nt_status check_owner(const char *path, int folder, struct nt_error *err)
{
	struct stat st;
	if (fstat(folder, &st) != 0)
		return refuse(path, errno, err);
	if (st.st_uid == geteuid())
		return NT_OK;
	return nt_error_set(
		err, NT_ERR_FORBIDDEN,
		"cannot write %s: the folder is of uid %u, and nettop runs as uid %u; set XDG_CONFIG_HOME to a folder of your own", path,
		(unsigned)st.st_uid, (unsigned)geteuid());
}

/* Of the folders on the way, whose is the last one that there is? Before anything is made in it. */
static enum nt_status check_way(const char *path, struct nt_error *err)
{
	char *above = nt_strdup(path);
	const char *name;
	int folder = nt_own_folder_open(above, false, &name), reason = errno;
	while (folder < 0 && reason == ENOENT && strrchr(above, '/') > above) {
		*strrchr(above, '/') = '\0';
		folder = nt_own_folder_open(above, false, &name);
		reason = errno;
	}
	enum nt_status status = folder < 0 ? refuse(path, reason, err) : check_owner(path, folder, err);
	if (folder >= 0)
		close(folder);
	free(above);
	return status;
}

static int put(int folder, const char *name, const struct nt_text_buffer *text)
{
	char temporary[NAME_MAX + 1];
	int fd = nt_own_folder_new_file(folder, name, temporary), reason = fd < 0 ? errno : 0;
	if (fd < 0)
		return reason;
	for (size_t done = 0; !reason && done < text->length;) {
		ssize_t written = write(fd, text->bytes + done, text->length - done);
		if (written > 0)
			done += (size_t)written;
		else if (written == 0 || errno != EINTR)
			reason = written == 0 ? EIO : errno;
	}
	if (!reason && !nt_own_folder_keep(folder, fd, name, temporary))
		reason = errno;
	nt_own_folder_discard(folder, temporary);
	close(fd);
	return reason;
}

/* A link may be there, to where its owner wants the file to be: what it leads to would be left behind as it was. */
static enum nt_status write_text(const char *path, const struct nt_text_buffer *text, struct nt_error *err)
{
	const char *name;
	struct stat st;
	enum nt_status status = check_way(path, err);
	if (status != NT_OK)
		return status;
	int folder = nt_own_folder_open(path, true, &name);
	if (folder < 0)
		return refuse(path, errno, err);
	status = check_owner(path, folder, err);
	if (status == NT_OK && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode))
		status = nt_error_set(err, NT_ERR_FORBIDDEN, "cannot write %s: it is a link, or no file; edit what it leads to", path);
	int reason = status == NT_OK ? put(folder, name, text) : 0;
	close(folder);
	return reason ? refuse(path, reason, err) : status;
}

static bool is_as_it_was(const struct nt_settings_file *file, const char *text, size_t length)
{
	return file->length == length && (!length || memcmp(file->text, text, length) == 0);
}

enum nt_status nt_settings_file_save(struct nt_settings_file *file, struct nt_error *err)
{
	char *text;
	size_t length;
	struct nt_text_buffer written = { 0 };
	if (file->off)
		return nt_error_set(err, NT_ERR_ABSENT, "nothing is kept: nettop runs with --no-config");
	if (!file->path)
		return nt_error_set(err, NT_ERR_ABSENT, "there is no place for settings: HOME is not set");
	int reason = read_text(file->path, &text, &length);
	if (reason && reason != ENOENT && reason != EPERM)
		return refuse(file->path, reason, err);
	if (!file->asked && !is_as_it_was(file, text, length)) {
		free(text);
		file->asked = true;
		return nt_error_set(err, NT_AGAIN, "%s was changed since nettop read it; W again writes into it", file->path);
	}
	nt_settings_text_write(text ? text : "", length, &file->settings, &written);
	free(text);
	enum nt_status status = write_text(file->path, &written, err);
	if (status != NT_OK) {
		nt_text_buffer_fini(&written);
		return status;
	}
	free(file->text);
	file->asked = false;
	file->length = written.length;
	file->text = nt_text_buffer_take(&written);
	return NT_OK;
}
