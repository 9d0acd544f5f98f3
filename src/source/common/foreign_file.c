// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/foreign_file.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/file.h"
#include "base/file_name.h"
#include "base/hanging_file.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct nt_foreign_file refused(enum nt_refusal refusal, int errnum)
{
	return (struct nt_foreign_file){ .fd = -1, .refusal = refusal, .errnum = errnum };
}

static struct nt_foreign_file refuse_name(int errnum)
{
	return refused(errnum == ENOENT || errnum == ENOTDIR ? NT_REFUSAL_ABSENT : NT_REFUSAL_ERRNO, errnum);
}

static struct nt_foreign_file object(const char *objection)
{
	struct nt_foreign_file file = refused(NT_REFUSAL_OBJECTION, 0);
	snprintf(file.objection, sizeof(file.objection), "%s", objection);
	return file;
}

/* ---- in the process apart ---- */

/* Its name led to something: it is looked at first, and opened when nothing speaks against it. */
static struct nt_foreign_file judge(int named, uid_t uid)
{
	struct nt_foreign_file file = { .fd = -1 };
	if (fstat(named, &file.stat) != 0)
		return refused(NT_REFUSAL_ERRNO, errno);
	if (*nt_file_objection(&file.stat, uid, file.objection)) {
		file.refusal = NT_REFUSAL_OBJECTION;
		return file;
	}
	file.errnum = nt_file_open_named(named, &file.fd);
	if (file.errnum == ENOSYS)
		return object("cannot be opened through /proc/self/fd: no /proc is mounted there");
	if (!file.errnum)
		file.errnum = nt_hanging_file_copy(&file.fd, &file.copied);
	if (file.errnum == EFBIG)
		return object("lies in a file system that may hang (FUSE), and is over 64 MB");
	if (file.errnum)
		file.refusal = NT_REFUSAL_ERRNO;
	return file;
}

/* `named` may be -1, with errno; it is closed. */
static struct nt_foreign_file open_judged(int named, uid_t uid)
{
	if (named < 0)
		return refuse_name(errno);
	struct nt_foreign_file file = judge(named, uid);
	close(named);
	return file;
}

static int open_root(const char *root_dir)
{
	return open(root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* `root` may be -1, with errno. */
static struct nt_foreign_file open_below(int root, const char *path, uid_t uid)
{
	if (root < 0)
		return refused(NT_REFUSAL_NO_ROOT, errno);
	return open_judged(nt_file_open_in_root(root, path, NT_FILE_NAMED | O_NOFOLLOW), uid);
}

static struct nt_foreign_file open_in_root(const char *root_dir, const char *path, uid_t uid)
{
	int root = open_root(root_dir);
	struct nt_foreign_file file = open_below(root, path, uid);
	if (root >= 0)
		close(root);
	return file;
}

struct asked {
	uid_t uid;
	bool plain;
	size_t path_at; /* in `text`, behind the root's folder; 0 = there is none, and the whole is one of the kernel's links */
	char text[2 * PATH_MAX];
};

static void open_there(const void *asked_bytes, const int *given, void *answer, int *fd)
{
	const struct asked *asked = asked_bytes;
	struct nt_foreign_file *file = answer;
	(void)given;
	struct nt_plain_rights rights = asked->plain ? nt_plain_rights_begin() : (struct nt_plain_rights){ 0 };
	*file = asked->path_at ? open_in_root(asked->text, asked->text + asked->path_at, asked->uid)
			       : open_judged(open(asked->text, NT_FILE_NAMED), asked->uid);
	nt_plain_rights_end(rights);
	*fd = file->fd;
}

/* Names of files, each the root's folder and the path below it. */
struct asked_names {
	size_t count;
	uid_t uids[NT_FOREIGN_NAMES_MAX];
	bool plain[NT_FOREIGN_NAMES_MAX];
	char text[2 * PATH_MAX];
};

struct first {
	struct nt_foreign_file file;
	size_t number; /* of its name */
};

static void open_first_there(const void *asked_bytes, const int *given, void *answer, int *fd)
{
	const struct asked_names *asked = asked_bytes;
	struct first *first = answer;
	const char *text = asked->text, *entered = "";
	int root = -1;
	(void)given;
	first->file.fd = -1;
	for (size_t i = 0; i < asked->count && first->file.fd < 0; i++) {
		const char *root_dir = text, *path = text + strlen(text) + 1;
		if (i)
			nt_apart_go_on();
		if (strcmp(root_dir, entered) != 0) { /* mostly it is the one before */
			if (root >= 0)
				close(root);
			root = open_root(root_dir);
			entered = root >= 0 ? root_dir : "";
		}
		struct nt_plain_rights rights = asked->plain[i] ? nt_plain_rights_begin() : (struct nt_plain_rights){ 0 };
		first->file = open_below(root, path, asked->uids[i]);
		nt_plain_rights_end(rights);
		first->number = i;
		text = path + strlen(path) + 1;
	}
	if (root >= 0)
		close(root);
	*fd = first->file.fd;
}

/* ---- here ---- */

/* What came of an errand: `error` is nt_apart_do()'s, `fd` what came with the answer. */
static struct nt_foreign_file come_back(int error, const struct nt_foreign_file *answer, int fd)
{
	struct nt_foreign_file file = *answer;
	if (error)
		return error == ETIMEDOUT ? object("lies in a file system that does not answer") : refused(NT_REFUSAL_ERRNO, error);
	file.fd = fd;
	if (fd < 0 && !file.refusal)
		return refused(NT_REFUSAL_ERRNO, EMFILE);
	return file;
}

static struct nt_foreign_file open_apart(const struct asked *asked, size_t text_size, const char *where)
{
	struct nt_foreign_file file;
	int fd;
	int error = nt_apart_do(&(struct nt_apart){
		.work = open_there,
		.where = where,
		.asked = asked,
		.asked_size = offsetof(struct asked, text) + text_size,
		.answer = &file,
		.answer_size = sizeof(file),
		.fd = &fd,
	});
	return come_back(error, &file, fd);
}

/* The folder is what hangs. */
static char *folder_of(const char *root_dir, const char *path)
{
	return nt_format("%s%.*s", root_dir, (int)(nt_file_base_name(path) - path), path);
}

static struct nt_foreign_file open_named(const struct nt_foreign_name *name)
{
	struct asked asked;
	size_t root_size = strlen(name->root_dir) + 1, path_size = strlen(name->path) + 1;
	if (root_size + path_size > sizeof(asked.text))
		return refused(NT_REFUSAL_ERRNO, ENAMETOOLONG);
	asked.uid = name->uid;
	asked.plain = name->plain;
	asked.path_at = root_size;
	memcpy(asked.text, name->root_dir, root_size);
	memcpy(asked.text + root_size, name->path, path_size);
	char *where = folder_of(name->root_dir, name->path);
	struct nt_foreign_file file = open_apart(&asked, root_size + path_size, where);
	free(where);
	return file;
}

struct nt_foreign_file nt_foreign_open(const char *root_dir, const char *path, uid_t uid)
{
	return open_named(&(struct nt_foreign_name){ .root_dir = root_dir, .path = path, .uid = uid });
}

/* How many of the names fit. */
static size_t ask_names(const struct nt_foreign_name *names, size_t count, struct asked_names *asked, size_t *text_size)
{
	*text_size = 0;
	asked->count = 0;
	for (size_t i = 0; i < count && i < NT_FOREIGN_NAMES_MAX; i++) {
		size_t root_size = strlen(names[i].root_dir) + 1, path_size = strlen(names[i].path) + 1;
		if (root_size > sizeof(asked->text) - *text_size || path_size > sizeof(asked->text) - *text_size - root_size)
			break;
		memcpy(asked->text + *text_size, names[i].root_dir, root_size);
		memcpy(asked->text + *text_size + root_size, names[i].path, path_size);
		*text_size += root_size + path_size;
		asked->plain[asked->count] = names[i].plain;
		asked->uids[asked->count++] = names[i].uid;
	}
	return asked->count;
}

/* The first of these in one errand. Returns as nt_apart_do(). */
static int open_some(const struct nt_foreign_name *names, const struct asked_names *asked, size_t text_size, struct first *first)
{
	char *folders[NT_FOREIGN_NAMES_MAX];
	int fd;
	for (size_t i = 0; i < asked->count; i++)
		folders[i] = folder_of(names[i].root_dir, names[i].path);
	int error = nt_apart_do(&(struct nt_apart){
		.work = open_first_there,
		.where = folders[0],
		.further = (const char *const *)folders + 1,
		.further_count = asked->count - 1,
		.asked = asked,
		.asked_size = offsetof(struct asked_names, text) + text_size,
		.answer = first,
		.answer_size = sizeof(*first),
		.fd = &fd,
	});
	for (size_t i = 0; i < asked->count; i++)
		free(folders[i]);
	first->file = come_back(error, &first->file, fd);
	return error;
}

struct nt_foreign_file nt_foreign_open_first(const struct nt_foreign_name *names, size_t count, size_t *opened)
{
	struct first first = { .file = refused(NT_REFUSAL_ABSENT, ENOENT) };
	for (size_t done = 0, some; done < count && first.file.fd < 0; done += some) {
		struct asked_names asked;
		size_t text_size;
		some = ask_names(names + done, count - done, &asked, &text_size);
		/* Where one hangs, or is too long to be asked for, the others are looked at all the same. */
		if (!some || open_some(names + done, &asked, text_size, &first) == ETIMEDOUT) {
			some = 1;
			first.number = 0;
			first.file = open_named(&names[done]);
		}
		*opened = done + first.number;
	}
	return first.file;
}

struct nt_foreign_file nt_foreign_open_mapped(const char *map_file, uid_t uid)
{
	struct asked asked;
	size_t size = strlen(map_file) + 1;
	if (size > sizeof(asked.text))
		return refused(NT_REFUSAL_ERRNO, ENAMETOOLONG);
	asked.uid = uid;
	asked.plain = false;
	asked.path_at = 0;
	memcpy(asked.text, map_file, size);
	char *where = folder_of("", map_file);
	struct nt_foreign_file file = open_apart(&asked, size, where);
	free(where);
	return file;
}

ssize_t nt_foreign_read(int fd, void *buf, size_t size, off_t offset)
{
	size_t done = 0;
	while (done < size) {
		ssize_t got = pread(fd, (char *)buf + done, size - done, offset + (off_t)done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}
