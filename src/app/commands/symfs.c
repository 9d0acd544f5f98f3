// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/symfs.h"

#include "app/loop/signals.h"
#include "base/alloc.h"
#include "base/own_folder.h"
#include "base/plain_rights.h"
#include "output/files/symbol_file.h"
#include "source/export/code_lines.h"

#include <dirent.h>
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

/* False with errno; EINTR: a signal is to end nettop. */
static bool fill(int root, const struct nt_code_lines *lines, unsigned *symbol_files)
{
	struct nt_code_file file;
	for (size_t i = 0; i < lines->file_count; i++) {
		if (nt_signals_ending_waits()) {
			errno = EINTR;
			return false;
		}
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

/* Whatever is in the folder, which is held: its path may lead elsewhere by now. Takes `folder`. */
static void empty(int folder)
{
	int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = listed >= 0 ? fdopendir(listed) : NULL;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || unlinkat(folder, entry->d_name, 0) == 0)
			continue;
		int inner = openat(folder, entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (inner >= 0)
			empty(inner);
		unlinkat(folder, entry->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
	close(folder);
}

/* A new folder of ours, and the one in which it lies, both the caller's. In a stranger's folder another may take its name at any time. False with errno. */
static bool make_root(const char *plain, int *parent, const char **name, int *root)
{
	struct stat st;
	*root = -1;
	*parent = nt_own_folder_open(plain, false, name);
	if (*parent < 0)
		return false;
	if (mkdirat(*parent, *name, 0777) == 0)
		*root = openat(*parent, *name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int reason = errno;
	if (*root >= 0 && fstat(*root, &st) == 0 && st.st_uid == geteuid())
		return true;
	if (*root >= 0) {
		close(*root);
		reason = EPERM;
	}
	close(*parent);
	errno = reason;
	return false;
}

/* Whole, or not there. */
static enum nt_status make(const char *path, const char *plain, const struct nt_code_lines *lines, unsigned *symbol_files,
			   struct nt_error *err)
{
	const char *name;
	int parent, root;
	if (!make_root(plain, &parent, &name, &root))
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the new folder %s", path);
	enum nt_status status = NT_OK;
	if (!fill(root, lines, symbol_files)) {
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "cannot write below %s", path);
		empty(root);
		unlinkat(parent, name, AT_REMOVEDIR);
	} else {
		close(root);
	}
	close(parent);
	return status;
}

enum nt_status nt_symfs_make(const char *path, const struct nt_code_lines *lines, unsigned *symbol_files, struct nt_error *err)
{
	*symbol_files = 0;
	char *plain = nt_strdup(path);
	for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/'; length--)
		plain[length - 1] = '\0';
	struct nt_plain_rights rights = nt_plain_rights_begin();
	enum nt_status status = make(path, plain, lines, symbol_files, err);
	nt_plain_rights_end(rights);
	free(plain);
	return status;
}
