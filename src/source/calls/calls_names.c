// SPDX-License-Identifier: GPL-2.0-only
#include "source/calls/calls_names.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/kernel/descriptor_text.h"
#include "decode/kernel/socket_text.h"
#include "source/common/bpf_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MOST = 1024 /* in a turn */, LINK = 512, PIECE = 512, UNUSED_TURNS = 2 };

static const char dots[] = "...";

void nt_calls_names_fini(struct nt_calls_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i].text);
	free(names->items);
	free(names->inodes);
	nt_index_fini(&names->by_number);
	nt_index_fini(&names->fds);
	nt_socket_names_fini(&names->sockets);
	*names = (struct nt_calls_names){ 0 };
}

/* ---- what the programs named ---- */

/* The path as it was given; one that was cut ends in three dots. */
static char *path_text(const struct nt_calls_name *name)
{
	char text[NT_CALLS_TEXT + sizeof(dots)];
	size_t length = strnlen(name->text, NT_CALLS_TEXT);
	bool cut = length >= NT_CALLS_TEXT - 1;
	if (cut)
		length = nt_utf8_cut(name->text, NT_CALLS_TEXT - 1, NT_CALLS_TEXT - 1);
	snprintf(text, sizeof(text), "%.*s%s", (int)length, name->text, cut ? dots : "");
	return nt_strdup(text);
}

static void take(struct nt_calls_names *names, const struct nt_calls_name *name, uint32_t number)
{
	struct nt_calls_kept kept = { .number = number, .kind = NT_IO_SOCKET, .used = names->turn };
	struct nt_socket socket;
	char text[NT_SOCKET_NAME];
	if (!number || nt_index_get(&names->by_number, number) != NT_INDEX_NONE)
		return;
	if (name->named == NT_CALLS_PATH) {
		kept.kind = NT_IO_FILE;
		kept.text = path_text(name);
	} else if (name->named == NT_CALLS_ADDRESS) {
		if (nt_socket_address((const uint8_t *)name->text, sizeof(name->text), &socket) && nt_socket_name(&socket, false, text))
			kept.text = nt_strdup(text);
	} else {
		struct nt_calls_fd fd;
		memcpy(&fd, name->text, sizeof(fd));
		memcpy(&kept.listener.fd, name->text + sizeof(fd), sizeof(kept.listener.fd));
		kept.listener.name = fd.name;
		kept.listener.given = fd.given;
	}
	names->items = nt_grow(names->items, &names->capacity, names->count + 1, sizeof(*names->items));
	nt_index_put(&names->by_number, number, (uint32_t)names->count);
	names->items[names->count++] = kept;
}

/* The map is asked for as many at a time as it wants. */
static void take_all(struct nt_calls_names *names, const struct nt_calls_programs *programs, bool forget)
{
	struct nt_calls_name *keys = nt_realloc(NULL, PIECE, sizeof(*keys));
	uint32_t numbers[PIECE], from = 0, next = 0, all = 0;
	for (bool first = true, more = true; more && all < 2 * NT_CALLS_NAMES; first = false, from = next) {
		union bpf_attr batch = { .batch = { .in_batch = first ? 0 : nt_bpf_pointer(&from),
						    .out_batch = nt_bpf_pointer(&next),
						    .keys = nt_bpf_pointer(keys),
						    .values = nt_bpf_pointer(numbers),
						    .count = PIECE,
						    .map_fd = (uint32_t)programs->names } };
		more = nt_bpf_call(BPF_MAP_LOOKUP_BATCH, &batch) == 0;
		uint32_t count = more || errno == ENOENT ? batch.batch.count : 0; /* ENOENT: these are the last */
		for (uint32_t i = 0; i < count && i < PIECE; i++)
			take(names, &keys[i], numbers[i]);
		/* What is named so again gets another number: that is no matter here. */
		for (uint32_t i = 0; forget && i < count && i < PIECE; i++) {
			union bpf_attr key = { .map_fd = (uint32_t)programs->names, .key = nt_bpf_pointer(&keys[i]) };
			nt_bpf_call(BPF_MAP_DELETE_ELEM, &key);
		}
		all += count;
	}
	free(keys);
}

static void find_fds(struct nt_calls_names *names)
{
	if (names->fds_turn == names->turn)
		return;
	names->fds_turn = names->turn;
	nt_index_fini(&names->fds);
	for (uint32_t fd = 0; fd < NT_CALLS_FDS; fd++)
		if (names->now[fd].is.name)
			nt_index_put(&names->fds, names->now[fd].is.name, fd);
}

/* Those that nobody asks for, and that no descriptor has. */
static void forget_some(struct nt_calls_names *names)
{
	size_t kept = 0;
	find_fds(names);
	nt_index_fini(&names->by_number);
	for (size_t i = 0; i < names->count; i++) {
		struct nt_calls_kept *item = &names->items[i];
		if (item->used + UNUSED_TURNS < names->turn && nt_index_get(&names->fds, item->number) == NT_INDEX_NONE) {
			free(item->text);
			continue;
		}
		nt_index_put(&names->by_number, item->number, (uint32_t)kept);
		names->items[kept++] = *item;
	}
	names->count = kept;
}

void nt_calls_names_begin(struct nt_calls_names *names, const struct nt_calls_programs *programs, const struct nt_calls_shared *shared,
			  volatile struct nt_calls_place *fds, int dir_fd)
{
	uint64_t given = __atomic_load_n(&shared->names, __ATOMIC_ACQUIRE);
	names->turn++;
	names->now = fds;
	names->shared = shared;
	names->dir_fd = dir_fd;
	names->fd_dir = openat(dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	names->links = 0;
	names->inode_count = 0;
	if (names->count > NT_CALLS_NAMES_KEPT)
		forget_some(names);
	if (given == names->taken)
		return;
	/* A name is in the map a moment after it has its number: one that is not there yet is, when the next one comes, or somebody asks. */
	take_all(names, programs, given % NT_CALLS_NAMES > NT_CALLS_NAMES / 2);
	names->taken = given;
}

void nt_calls_names_end(struct nt_calls_names *names)
{
	if (names->fd_dir >= 0)
		close(names->fd_dir);
	names->fd_dir = -1;
}

/* ---- what /proc says ---- */

/* `127.0.0.1:80 CLOSE_WAIT`: calls are of the whole life of a connection, whatever its state. */
static void without_state(char *text)
{
	char *last = strrchr(text, ' ');
	if (last && strncmp(text, "unix", strlen("unix")) != 0 &&
	    last[1 + strspn(last + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == 0 && last[1] >= 'A')
		*last = 0;
}

static void name_socket(struct nt_calls_names *names, uint64_t inode, char text[NT_CALLS_NAME])
{
	names->inodes = nt_grow(names->inodes, &names->inode_capacity, names->inode_count + 1, sizeof(*names->inodes));
	names->inodes[names->inode_count++] = inode;
	const char *name = nt_socket_names_get(&names->sockets, inode);
	snprintf(text, NT_CALLS_NAME, "%s", name ? name : "");
	without_state(text);
}

/* False: it is closed, or may not be read. */
static bool read_link(struct nt_calls_names *names, uint32_t fd, uint32_t *kind, char text[NT_CALLS_NAME])
{
	char number[16], link[LINK];
	const char *name;
	size_t length;
	if (names->fd_dir < 0 || names->links == LINKS_MOST)
		return false;
	names->links++;
	snprintf(number, sizeof(number), "%u", fd);
	ssize_t got = readlinkat(names->fd_dir, number, link, sizeof(link));
	if (got <= 0)
		return false;
	*kind = (uint32_t)nt_descriptor_kind(link, (size_t)got, &name, &length);
	bool cut = (size_t)got == sizeof(link);
	if (cut)
		length = nt_utf8_cut(name, length, sizeof(link) - sizeof(dots));
	memcpy(text, name, length);
	snprintf(text + length, NT_CALLS_NAME - length, "%s", cut ? dots : "");
	uint64_t inode = nt_socket_inode(link, (size_t)got);
	if (inode)
		name_socket(names, inode, text);
	return true;
}

/* Nothing was given back since of which nobody knows what it was. */
static bool is_of_now(const struct nt_calls_names *names, uint32_t fd)
{
	return names->now[fd].emptied == (uint32_t)__atomic_load_n(&names->shared->emptied, __ATOMIC_RELAXED);
}

static bool is_still(const struct nt_calls_names *names, uint32_t fd, uint32_t name, uint32_t given)
{
	return is_of_now(names, fd) && names->now[fd].is.given == given && names->now[fd].is.name == name;
}

static bool by_descriptor(struct nt_calls_names *names, const struct nt_calls_key *key, uint32_t *kind, char text[NT_CALLS_NAME])
{
	if (key->fd < 0 || key->fd >= NT_CALLS_FDS)
		return false;
	uint32_t fd = (uint32_t)key->fd;
	return is_still(names, fd, key->name, key->given) && read_link(names, fd, kind, text) && is_still(names, fd, key->name, key->given);
}

/* What a listener has accepted, and nobody has looked at while it was open: `clients of :5000`, as those are called that are open. */
static void by_listener(struct nt_calls_names *names, struct nt_calls_kept *item)
{
	static const char listening[] = "listening at ";
	uint32_t kind;
	char text[NT_CALLS_NAME], clients[NT_CALLS_NAME + 16];
	const char *port;
	if (!by_descriptor(names, &item->listener, &kind, text) || strncmp(text, listening, strlen(listening)) != 0 ||
	    !(port = strrchr(text, ':')))
		return;
	snprintf(clients, sizeof(clients), "clients of %s", port);
	item->text = nt_strdup(clients);
	item->settled = true;
}

/* What the kernel calls a file is its path without links, and from the root. */
static void settle(struct nt_calls_names *names, struct nt_calls_kept *item)
{
	uint32_t kind;
	char text[NT_CALLS_NAME];
	find_fds(names);
	uint32_t fd = nt_index_get(&names->fds, item->number);
	if (fd == NT_INDEX_NONE || names->now[fd].is.name != item->number || !read_link(names, fd, &kind, text) ||
	    names->now[fd].is.name != item->number || !is_of_now(names, fd))
		return;
	item->settled = kind != NT_IO_SOCKET || *text;
	/* Whom a TCP socket is connected to it says itself. */
	if (!*text || (kind == NT_IO_SOCKET && item->text && strncmp(text, "udp ", strlen("udp ")) != 0))
		return;
	free(item->text);
	item->text = nt_strdup(text);
	item->kind = kind;
}

bool nt_calls_names_find(struct nt_calls_names *names, const struct nt_calls_key *key, uint32_t *kind, char text[NT_CALLS_NAME],
			 bool *settled)
{
	*text = 0;
	if (!key->name) {
		bool known = by_descriptor(names, key, kind, text);
		*settled = known && (*kind != NT_IO_SOCKET || *text);
		return known;
	}
	*settled = false; /* it may be settled for another sum */
	uint32_t at = nt_index_get(&names->by_number, key->name);
	if (at == NT_INDEX_NONE)
		return false;
	struct nt_calls_kept *item = &names->items[at];
	item->used = names->turn;
	if (!item->settled)
		settle(names, item);
	if (!item->text)
		by_listener(names, item);
	*kind = item->kind;
	snprintf(text, NT_CALLS_NAME, "%s", item->text ? item->text : "");
	return true;
}

void nt_calls_names_prepare(struct nt_calls_names *names, const struct nt_calls_key *key)
{
	uint32_t kind;
	char text[NT_CALLS_NAME];
	bool settled;
	nt_calls_names_find(names, key, &kind, text, &settled);
}

void nt_calls_names_prepared(struct nt_calls_names *names)
{
	nt_socket_names_find(&names->sockets, names->dir_fd, names->inodes, names->inode_count, nt_clock_now(), true);
	names->links = 0;
}
