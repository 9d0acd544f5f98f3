// SPDX-License-Identifier: GPL-2.0-only
#include "app/child/child_output.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
	READ_BYTES = 64 * 1024, /* of a pipe at once: what it holds */
	STREAMS = 2,
};

/* One of the two streams. */
struct stream {
	enum nt_log_kind kind;
	int passed_to;                /* our own stream */
	int read_fd, write_fd;        /* -1 = closed */
	char line[NT_LOG_LINE_BYTES]; /* begun, not ended yet */
	size_t length;
};

struct nt_child_output {
	struct nt_log *log; /* borrowed */
	struct stream streams[STREAMS];
	/* One descriptor for both, which never reports a hang-up: the loop takes that for the terminal's. */
	int epoll_fd;
	bool pass_through;
};

static enum nt_status open_stream(struct nt_child_output *output, struct stream *stream)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return NT_ERR_FAILED;
	stream->read_fd = ends[0];
	stream->write_fd = ends[1];
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = stream };
	/* Only our end: the program expects to wait rather than to hear EAGAIN. */
	if (fcntl(stream->read_fd, F_SETFL, O_NONBLOCK) < 0 || epoll_ctl(output->epoll_fd, EPOLL_CTL_ADD, stream->read_fd, &event) < 0)
		return NT_ERR_FAILED;
	return NT_OK;
}

enum nt_status nt_child_output_new(struct nt_log *log, struct nt_child_output **out, struct nt_error *err)
{
	struct nt_child_output *output = nt_alloc(sizeof(*output));
	output->log = log;
	output->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	output->streams[0] = (struct stream){ .kind = NT_LOG_OUTPUT, .passed_to = STDOUT_FILENO, .read_fd = -1, .write_fd = -1 };
	output->streams[1] = (struct stream){ .kind = NT_LOG_ERROR, .passed_to = STDERR_FILENO, .read_fd = -1, .write_fd = -1 };
	for (int i = 0; i < STREAMS; i++)
		if (open_stream(output, &output->streams[i]) != NT_OK) {
			nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the pipes for the program's output");
			nt_child_output_free(output);
			return NT_ERR_FAILED;
		}
	*out = output;
	return NT_OK;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void nt_child_output_free(struct nt_child_output *output)
{
	if (!output)
		return;
	for (int i = 0; i < STREAMS; i++) {
		close_fd(&output->streams[i].read_fd);
		close_fd(&output->streams[i].write_fd);
	}
	close_fd(&output->epoll_fd);
	free(output);
}

int nt_child_output_for_out(const struct nt_child_output *output)
{
	return output->streams[0].write_fd;
}

int nt_child_output_for_err(const struct nt_child_output *output)
{
	return output->streams[1].write_fd;
}

void nt_child_output_given(struct nt_child_output *output)
{
	for (int i = 0; i < STREAMS; i++)
		close_fd(&output->streams[i].write_fd);
}

int nt_child_output_fd(const struct nt_child_output *output)
{
	return output->epoll_fd;
}

void nt_child_output_pass_through(struct nt_child_output *output, bool on)
{
	output->pass_through = on;
}

static void pass_through(int fd, const char *bytes, size_t length)
{
	for (ssize_t written; length; bytes += written, length -= (size_t)written)
		if ((written = write(fd, bytes, length)) <= 0)
			return; /* nobody reads it: the log has it */
}

static void end_line(struct nt_child_output *output, struct stream *stream)
{
	nt_log_add(output->log, nt_clock_now(), stream->kind, stream->line, stream->length);
	stream->length = 0;
}

/* A line longer than one of the log goes on in the next. */
static void take(struct nt_child_output *output, struct stream *stream, const char *bytes, size_t length)
{
	while (length) {
		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length, room = sizeof(stream->line) - stream->length;
		bool fits = part <= room;
		if (!fits)
			part = room;
		memcpy(stream->line + stream->length, bytes, part);
		stream->length += part;
		if (newline || !fits)
			end_line(output, stream);
		part += newline && fits;
		bytes += part;
		length -= part;
	}
}

static void read_stream(struct nt_child_output *output, struct stream *stream)
{
	static char bytes[READ_BYTES]; /* the main thread's */
	ssize_t got = read(stream->read_fd, bytes, sizeof(bytes));
	if (got > 0) {
		if (output->pass_through)
			pass_through(stream->passed_to, bytes, (size_t)got);
		take(output, stream, bytes, (size_t)got);
	} else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
		if (stream->length)
			end_line(output, stream);
		close_fd(&stream->read_fd);
	}
}

static uint64_t lines_ever(const struct nt_log *log)
{
	return nt_log_count(log) + nt_log_dropped(log);
}

bool nt_child_output_read(struct nt_child_output *output)
{
	struct epoll_event events[STREAMS];
	uint64_t before = lines_ever(output->log);
	int count = epoll_wait(output->epoll_fd, events, STREAMS, 0);
	for (int i = 0; i < count; i++)
		read_stream(output, events[i].data.ptr);
	return lines_ever(output->log) != before;
}
