/* SPDX-License-Identifier: GPL-2.0-only */
/* A /proc of our own in a temporary folder, for tests of what reads /proc. */
#ifndef NT_TESTS_FAKE_PROC_H
#define NT_TESTS_FAKE_PROC_H

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct fake_proc {
	char root[32];
};

static inline void fake_proc_init(struct fake_proc *proc)
{
	strcpy(proc->root, "/tmp/nt-proc.XXXXXX");
	assert_non_null(mkdtemp(proc->root));
	assert_int_equal(chmod(proc->root, 0755), 0);
}

static inline void fake_proc_fini(struct fake_proc *proc)
{
	nt_file_remove_tree(proc->root);
}

/* The same as what cmocka calls around a test: *state is the struct fake_proc. */
static inline int fake_proc_setup(void **state)
{
	struct fake_proc *proc = nt_alloc(sizeof(*proc));
	fake_proc_init(proc);
	*state = proc;
	return 0;
}

static inline int fake_proc_teardown(void **state)
{
	fake_proc_fini(*state);
	free(*state);
	return 0;
}

/* Write root/path, with the folders above it; the same file again when it exists (who has it open sees the new text). */
static inline void fake_proc_file(const struct fake_proc *proc, const char *path, const void *bytes, size_t length)
{
	char *full = nt_format("%s/%s", proc->root, path);
	for (char *slash = strchr(full + strlen(proc->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		*slash = '/';
	}
	FILE *file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	free(full);
}

/* A socket in the file system at root/path that is listened on, with a queue of `backlog` connections. Its descriptor is the caller's. */
static inline int fake_proc_socket(const struct fake_proc *proc, const char *path, int backlog)
{
	fake_proc_file(proc, path, "", 0); /* makes the folders above */
	char *full = nt_format("%s/%s", proc->root, path), *name = strrchr(full, '/');
	assert_int_equal(unlink(full), 0);
	/* The whole path may be too long for an address. */
	*name = '\0';
	int folder = open(full, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", folder, name + 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, backlog), 0);
	close(folder);
	free(full);
	return fd;
}

/* The same of root/PID/path. */
static inline void fake_proc_bytes(const struct fake_proc *proc, unsigned pid, const char *path, const void *bytes, size_t length)
{
	char *below = nt_format("%u/%s", pid, path);
	fake_proc_file(proc, below, bytes, length);
	free(below);
}

static inline void fake_proc_text(const struct fake_proc *proc, unsigned pid, const char *path, const char *text)
{
	fake_proc_bytes(proc, pid, path, text, strlen(text));
}

/* The stat line of a process or thread, for `path` = "stat" or "task/TID/stat". */
struct fake_stat {
	unsigned id;
	const char *comm;
	char state;
	unsigned threads;
	unsigned long user_ticks, kernel_ticks, start_ticks, rss_pages;
	int exit_code;
};

static inline void fake_proc_stat(const struct fake_proc *proc, unsigned pid, const char *path, const struct fake_stat *stat)
{
	char *text = nt_format(
		"%u (%s) %c 1 %u %u 0 -1 4194560 1 2 3 4 %lu %lu 0 0 20 0 %u 0 %lu 1000000 %lu 18446744073709551615 1 1 0 0 0 0 0 4096 "
		"0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 %d\n",
		stat->id, stat->comm, stat->state, pid, pid, stat->user_ticks, stat->kernel_ticks, stat->threads ? stat->threads : 1,
		stat->start_ticks, stat->rss_pages, stat->exit_code);
	fake_proc_text(proc, pid, path, text);
	free(text);
}

#endif
