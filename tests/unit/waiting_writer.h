/* SPDX-License-Identifier: GPL-2.0-only */
/* Was a FIFO opened? Somebody who opens it for writing waits until somebody opens it for reading, however briefly: the kernel lets them go on within that open(). */
#ifndef NT_TESTS_WAITING_WRITER_H
#define NT_TESTS_WAITING_WRITER_H

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct waiting_writer {
	char *path; /* of the FIFO */
	pthread_t thread;
	atomic_int tid; /* 0 = it has not begun */
	atomic_bool opened;
};

static inline void *waiting_writer_run(void *context)
{
	struct waiting_writer *writer = context;
	atomic_store(&writer->tid, (int)gettid());
	int fd = open(writer->path, O_WRONLY | O_CLOEXEC);
	atomic_store(&writer->opened, true);
	close(fd);
	return NULL;
}

static inline bool waiting_writer_sleeps(const struct waiting_writer *writer)
{
	char path[64], *text;
	size_t length;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", atomic_load(&writer->tid));
	if (nt_file_read(AT_FDCWD, path, 4096, &text, &length) != 0)
		return false;
	const char *name_end = strrchr(text, ')');
	bool sleeps = name_end && name_end[1] && name_end[2] == 'S';
	free(text);
	return sleeps;
}

/* Makes the FIFO, and waits until somebody waits at it. */
static inline void waiting_writer_begin(struct waiting_writer *writer, const char *path)
{
	*writer = (struct waiting_writer){ .path = nt_strdup(path) };
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_int_equal(pthread_create(&writer->thread, NULL, waiting_writer_run, writer), 0);
	while (!waiting_writer_sleeps(writer))
		sched_yield();
}

/* Nobody has opened it until now: whoever did would have woken the writer before that open() returned. */
static inline bool waiting_writer_waits(const struct waiting_writer *writer)
{
	bool sleeps = waiting_writer_sleeps(writer);
	return sleeps && !atomic_load(&writer->opened);
}

/* Ends it, and proves that opening would have been seen. */
static inline void waiting_writer_end(struct waiting_writer *writer)
{
	int fd = open(writer->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pthread_join(writer->thread, NULL), 0);
	assert_true(atomic_load(&writer->opened));
	close(fd);
	assert_int_equal(unlink(writer->path), 0);
	free(writer->path);
}

#endif
