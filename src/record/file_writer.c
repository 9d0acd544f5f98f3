// SPDX-License-Identifier: GPL-2.0-only
#include "record/file_writer.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { STACK_BYTES = 128 << 10 };

struct nt_file_writer {
	int fd;
	bool on_disk, running; /* running: there is a thread */
	pthread_t thread;
	pthread_mutex_t lock; /* of everything below */
	pthread_cond_t came;
	struct nt_packed_frame **frames; /* owned, with a reference to each: [taken .. put) wait */
	size_t taken, put, capacity;
	size_t waiting; /* their bytes, and those of the one that is being written */
	struct nt_file_written written;
	int problem;
	bool at_end;            /* that is of what was written as a whole */
	bool finish, abandoned; /* what is told to the thread: all has been put; nothing more is wanted */
	bool finished;
};

/* Returns 0 or an errno value. One call writes it, unless a signal comes or the disk is nearly full. */
static int write_all(int fd, const struct nt_packed_frame *frame)
{
	for (size_t done = 0; done < frame->length;) {
		ssize_t count = write(fd, frame->bytes + done, frame->length - done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return count ? errno : EIO;
		done += (size_t)count;
	}
	return 0;
}

static void note(struct nt_file_writer *writer, const struct nt_packed_frame *frame, int problem)
{
	struct nt_file_written *written = &writer->written;
	writer->problem = problem;
	if (problem)
		return;
	written->bytes += frame->length;
	written->event_count += frame->event_count;
	written->first = written->first ? written->first : frame->first;
	written->last = frame->last ? frame->last : written->last;
}

/* Whoever reads the file is to find whole frames. If that cannot be done either, he finds out that the last one is not. */
static void write_one(struct nt_file_writer *writer, struct nt_packed_frame *frame)
{
	int problem = writer->problem ? writer->problem : write_all(writer->fd, frame);
	if (problem && !writer->problem && writer->on_disk)
		(void)!ftruncate(writer->fd, (off_t)writer->written.bytes);
	pthread_mutex_lock(&writer->lock);
	note(writer, frame, problem);
	writer->waiting -= frame->length;
	pthread_mutex_unlock(&writer->lock);
	nt_packed_frame_release(frame);
}

/* What is no file on a disk has nothing to wait for. */
static void finish(struct nt_file_writer *writer)
{
	int problem = writer->problem || !writer->on_disk || fdatasync(writer->fd) == 0 || errno == EINVAL ? 0 : errno;
	close(writer->fd);
	pthread_mutex_lock(&writer->lock);
	writer->fd = -1;
	writer->at_end = problem != 0;
	writer->problem = problem ? problem : writer->problem;
	writer->finished = true;
	pthread_mutex_unlock(&writer->lock);
}

/* NULL: there is nothing more to do but to finish, if that was said. */
static struct nt_packed_frame *take(struct nt_file_writer *writer)
{
	struct nt_packed_frame *frame = NULL;
	pthread_mutex_lock(&writer->lock);
	while (writer->taken == writer->put && !writer->finish && !writer->abandoned)
		pthread_cond_wait(&writer->came, &writer->lock);
	if (writer->taken < writer->put)
		frame = writer->frames[writer->taken++];
	if (writer->taken == writer->put)
		writer->taken = writer->put = 0;
	pthread_mutex_unlock(&writer->lock);
	return frame;
}

static void *work(void *argument)
{
	struct nt_file_writer *writer = argument;
	for (struct nt_packed_frame *frame; (frame = take(writer));)
		write_one(writer, frame);
	if (writer->finish)
		finish(writer);
	return NULL;
}

struct nt_file_writer *nt_file_writer_new(int fd, bool on_disk)
{
	struct nt_file_writer *writer = nt_alloc(sizeof(*writer));
	*writer = (struct nt_file_writer){ .fd = fd, .on_disk = on_disk };
	pthread_mutex_init(&writer->lock, NULL);
	pthread_cond_init(&writer->came, NULL);
	return writer;
}

void nt_file_writer_start(struct nt_file_writer *writer)
{
	writer->running = nt_thread_start(&writer->thread, STACK_BYTES, work, writer) == 0;
}

void nt_file_writer_put(struct nt_file_writer *writer, struct nt_packed_frame *frame)
{
	nt_packed_frame_retain(frame);
	pthread_mutex_lock(&writer->lock);
	writer->waiting += frame->length;
	if (writer->running) {
		writer->frames = nt_grow(writer->frames, &writer->capacity, writer->put + 1, sizeof(struct nt_packed_frame *));
		writer->frames[writer->put++] = frame;
	}
	pthread_cond_signal(&writer->came);
	pthread_mutex_unlock(&writer->lock);
	if (!writer->running)
		write_one(writer, frame);
}

static void tell(struct nt_file_writer *writer, bool *what)
{
	pthread_mutex_lock(&writer->lock);
	*what = true;
	pthread_cond_signal(&writer->came);
	pthread_mutex_unlock(&writer->lock);
}

void nt_file_writer_finish(struct nt_file_writer *writer)
{
	if (writer->finish)
		return;
	tell(writer, &writer->finish);
	if (!writer->running)
		finish(writer);
}

void nt_file_writer_wait(struct nt_file_writer *writer)
{
	if (writer->running)
		pthread_join(writer->thread, NULL);
	writer->running = false;
}

bool nt_file_writer_has_finished(struct nt_file_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	bool finished = writer->finished;
	pthread_mutex_unlock(&writer->lock);
	return finished;
}

size_t nt_file_writer_waiting(struct nt_file_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	size_t waiting = writer->waiting;
	pthread_mutex_unlock(&writer->lock);
	return waiting;
}

struct nt_file_written nt_file_writer_written(struct nt_file_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	struct nt_file_written written = writer->written;
	pthread_mutex_unlock(&writer->lock);
	return written;
}

int nt_file_writer_problem(struct nt_file_writer *writer, bool *at_end)
{
	pthread_mutex_lock(&writer->lock);
	int problem = writer->problem;
	*at_end = writer->at_end;
	pthread_mutex_unlock(&writer->lock);
	return problem;
}

void nt_file_writer_free(struct nt_file_writer *writer)
{
	if (!writer)
		return;
	tell(writer, &writer->abandoned);
	nt_file_writer_wait(writer);
	if (writer->fd >= 0)
		close(writer->fd);
	pthread_cond_destroy(&writer->came);
	pthread_mutex_destroy(&writer->lock);
	free(writer->frames);
	free(writer);
}
