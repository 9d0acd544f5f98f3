// SPDX-License-Identifier: GPL-2.0-only
#include "app/symfs.h"

#include "base/alloc.h"
#include "base/own_folder.h"
#include "output/symbol_file.h"
#include "source/code_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where distributions keep symbols that are not in the files themselves. */
static const char debug_folder[] = "/usr/lib/debug";

static int open_folder(int parent, const char *name)
{
	if (mkdirat(parent, name, 0777) != 0 && errno != EEXIST)
		return -1;
	/* Paths are the target's: a link that stands for one file must not lead another one out of here. */
	return openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The next part of a path into `name`; false: it is none that a file can have. */
static bool next_part(const char **path, char name[NAME_MAX + 1])
{
	*path += strspn(*path, "/");
	size_t length = strcspn(*path, "/");
	if (!length || length > NAME_MAX)
		return false;
	memcpy(name, *path, length);
	name[length] = '\0';
	*path += length;
	return strcmp(name, "..") != 0;
}

/* The folder in which `path` lies below `root`, made if missing, and the last part of the path. Below 0: errno says why not. */
static int folder_of(int root, const char *path, char name[NAME_MAX + 1])
{
	int folder = fcntl(root, F_DUPFD_CLOEXEC, 0);
	while (folder >= 0 && next_part(&path, name)) {
		if (!*path)
			return folder;
		int inner = open_folder(folder, name), reason = errno;
		close(folder);
		folder = inner;
		errno = reason;
	}
	if (folder >= 0) {
		close(folder);
		errno = EINVAL;
	}
	return -1;
}

static FILE *new_file(int root, const char *path)
{
	char name[NAME_MAX + 1];
	int folder = folder_of(root, path, name);
	if (folder < 0)
		return NULL;
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), reason = errno;
	close(folder);
	errno = reason;
	return fd >= 0 ? fdopen(fd, "w") : NULL;
}

static bool put_symbols(int root, const struct nt_code_file *file, const struct nt_code_lines *lines)
{
	FILE *out = new_file(root, file->path);
	if (!out)
		return errno == EEXIST; /* mapped twice */
	nt_symbol_file_write(out, lines->lines + file->first, file->count);
	bool written = !ferror(out);
	return fclose(out) == 0 && written;
}

/* A file without its link has no names: no reason to give up the others. */
static void put_link(int root, const char *path)
{
	char name[NAME_MAX + 1];
	int folder = folder_of(root, path, name);
	if (folder < 0)
		return;
	(void)!symlinkat(path, folder, name);
	close(folder);
}

static bool has_symbols(const struct nt_code_file *file)
{
	return file->assembly && file->count;
}

/* The names of a file that is mapped in several pieces are one list. */
static const struct nt_code_file *whole(const struct nt_code_lines *lines, size_t *at, struct nt_code_file *joined)
{
	*joined = lines->files[*at];
	for (; *at + 1 < lines->file_count && strcmp(lines->files[*at + 1].path, joined->path) == 0; ++*at)
		joined->count += lines->files[*at + 1].count;
	return joined;
}

static bool fill(int root, const struct nt_code_lines *lines, unsigned *symbol_files)
{
	struct nt_code_file file;
	for (size_t i = 0; i < lines->file_count; i++) {
		if (!has_symbols(whole(lines, &i, &file)))
			continue;
		if (!put_symbols(root, &file, lines))
			return false;
		++*symbol_files;
	}
	put_link(root, debug_folder);
	for (size_t i = 0; i < lines->file_count; i++)
		if (!has_symbols(whole(lines, &i, &file)))
			put_link(root, file.path);
	return true;
}

/* A new folder of ours. In a stranger's folder another may take its name at any time. -1 with errno. */
static int make_root(const char *path)
{
	struct stat st;
	const char *name;
	char *plain = nt_strdup(path);
	for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/'; length--)
		plain[length - 1] = '\0';
	int parent = nt_own_folder_open(plain, false, &name), root = -1;
	if (parent >= 0 && mkdirat(parent, name, 0777) == 0)
		root = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int reason = errno;
	if (root >= 0 && (fstat(root, &st) != 0 || st.st_uid != geteuid())) {
		close(root);
		root = -1;
		reason = EPERM;
	}
	if (parent >= 0)
		close(parent);
	free(plain);
	errno = reason;
	return root;
}

enum nt_status nt_symfs_make(const char *path, const struct nt_code_lines *lines, unsigned *symbol_files, struct nt_error *err)
{
	*symbol_files = 0;
	int root = make_root(path);
	if (root < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the new folder %s", path);
	bool good = fill(root, lines, symbol_files);
	int reason = errno;
	close(root);
	return good ? NT_OK : nt_error_errno(err, NT_ERR_FAILED, reason, "cannot write below %s", path);
}
