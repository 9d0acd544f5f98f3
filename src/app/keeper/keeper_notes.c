// SPDX-License-Identifier: GPL-2.0-only
#include "app/keeper/keeper_notes.h"

#include "base/alloc.h"
#include "target/common/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAKES_MS = 500 };

static void drop(struct nt_keeper_notes *notes, size_t index)
{
	struct nt_keeper_kept *kept = &notes->items[index];
	if (kept->fd >= 0)
		close(kept->fd);
	free(kept->verb);
	free(kept->argument);
	memmove(kept, kept + 1, (--notes->count - index) * sizeof(*kept));
}

static void take_back(struct nt_keeper_notes *notes, const char *verb, const char *argument)
{
	for (size_t i = notes->count; i-- > 0;)
		if (strcmp(notes->items[i].verb, verb) == 0 && strcmp(notes->items[i].argument, argument) == 0) {
			drop(notes, i);
			return;
		}
}

void nt_keeper_notes_apply(struct nt_keeper_notes *notes, const char *verb, const char *argument, int fd)
{
	if (*verb == '-') {
		take_back(notes, verb + 1, argument);
		return;
	}
	notes->items = nt_grow(notes->items, &notes->room, notes->count + 1, sizeof(*notes->items));
	notes->items[notes->count++] = (struct nt_keeper_kept){ .verb = nt_strdup(verb),
								.argument = nt_strdup(argument),
								.fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0) };
}

size_t nt_keeper_notes_count(const struct nt_keeper_notes *notes, const char *verb)
{
	size_t count = 0;
	for (size_t i = 0; i < notes->count; i++)
		count += strcmp(notes->items[i].verb, verb) == 0;
	return count;
}

bool nt_keeper_notes_tell(const struct nt_keeper_notes *notes, int socket)
{
	for (size_t i = 0; i < notes->count; i++) {
		const struct nt_keeper_kept *kept = &notes->items[i];
		struct pollfd room = { .fd = socket, .events = POLLOUT };
		while (!nt_helper_send(socket, kept->verb, kept->argument, &kept->fd, kept->fd >= 0))
			if (errno != EAGAIN || poll(&room, 1, TAKES_MS) <= 0)
				return false;
	}
	return true;
}

void nt_keeper_notes_fini(struct nt_keeper_notes *notes)
{
	while (notes->count)
		drop(notes, notes->count - 1);
	free(notes->items);
	*notes = (struct nt_keeper_notes){ .items = NULL };
}
