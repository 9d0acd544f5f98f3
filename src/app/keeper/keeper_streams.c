// SPDX-License-Identifier: GPL-2.0-only
#include "app/keeper/keeper_streams.h"

#include "base/descriptors.h"

#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Descriptors for what comes next, and for all else that the keeper has open: a stream that finds no room would be nobody's. */
enum { ROOM = 128 };

/* For every holder of the connection: the runtime's next write fails, and it ends the session. */
static void shut_down(int fd)
{
	shutdown(fd, SHUT_RDWR);
	close(fd);
}

static void take_out(struct nt_keeper_streams *streams, unsigned index)
{
	streams->items[index] = streams->items[--streams->count];
}

void nt_keeper_streams_add(struct nt_keeper_streams *streams, int number, int fd)
{
	if (streams->count == NT_KEEPER_STREAMS_MAX) {
		shut_down(fd);
		return;
	}
	nt_descriptors_allow(streams->count + ROOM);
	streams->items[streams->count++] = (struct nt_keeper_stream){ .number = number, .fd = fd };
}

void nt_keeper_streams_drop(struct nt_keeper_streams *streams, int number)
{
	for (unsigned i = streams->count; i-- > 0;) {
		if (streams->items[i].number != number)
			continue;
		close(streams->items[i].fd);
		take_out(streams, i);
		return;
	}
}

static bool data_waits(int fd)
{
	int bytes = 0;
	return ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

void nt_keeper_streams_look(struct nt_keeper_streams *streams)
{
	uint64_t progress = atomic_load_explicit(streams->progress, memory_order_relaxed);
	bool reads = progress != streams->seen;
	streams->seen = progress;
	for (unsigned i = streams->count; i-- > 0;) {
		struct nt_keeper_stream *stream = &streams->items[i];
		stream->unread_looks = !reads && data_waits(stream->fd) ? stream->unread_looks + 1 : 0;
		if (stream->unread_looks < NT_KEEPER_LOOKS)
			continue;
		shut_down(stream->fd);
		take_out(streams, i);
	}
}

void nt_keeper_streams_end(struct nt_keeper_streams *streams)
{
	for (unsigned i = 0; i < streams->count; i++)
		shut_down(streams->items[i].fd);
	streams->count = 0;
}
