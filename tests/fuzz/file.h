/* SPDX-License-Identifier: GPL-2.0-only */
/* A fuzz target's input as a file: for what opens files by their paths. One folder for the whole run, removed at its end. */
#ifndef NT_TESTS_FUZZ_FILE_H
#define NT_TESTS_FUZZ_FILE_H

#include "base/file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_folder_path[] = "/tmp/nettop-fuzz-XXXXXX";

static inline void fuzz_folder_remove(void)
{
	nt_file_remove_tree(fuzz_folder_path);
}

static inline const char *fuzz_folder(void)
{
	static bool made;
	if (!made) {
		FUZZ_CHECK(mkdtemp(fuzz_folder_path));
		FUZZ_CHECK(chmod(fuzz_folder_path, 0755) == 0);
		atexit(fuzz_folder_remove);
		made = true;
	}
	return fuzz_folder_path;
}

/* The folder, in which the input is the file `name`: the same inode each time. */
static inline const char *fuzz_file(const char *name, const uint8_t *data, size_t size, struct stat *stat)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/%s", fuzz_folder(), name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	FUZZ_CHECK(fd >= 0 && pwrite(fd, data, size, 0) == (ssize_t)size && fstat(fd, stat) == 0);
	close(fd);
	return fuzz_folder_path;
}

#endif
