// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/socket_names.h"

#include "base/alloc.h"
#include "decode/kernel/socket_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PIECE_BYTES = 32 << 10,
	FILE_BYTES = 2 << 20, /* of each: some 14000 sockets */
	PORTS = 1 << 16,
	NAMELESS = UINT32_MAX - 1, /* it was looked for */
	IDLE_FACTOR = 200,
	FRESH_FACTOR = 5000, /* while no other one has come, where nobody has asked */
};

/* A state changes, and a datagram socket is connected to somebody else. */
static const nt_time fresh_least_ns = 10 * NT_NS_PER_S, fresh_most_ns = 60 * NT_NS_PER_S;

/* While the files are read. */
struct reading {
	struct nt_socket_names *sockets;
	enum nt_socket_family family;
	uint8_t listens[PORTS / 8]; /* a bit for each port; the kernel lists those that listen first */
};

void nt_socket_names_fini(struct nt_socket_names *sockets)
{
	nt_index_fini(&sockets->by_inode);
	free(sockets->names);
	*sockets = (struct nt_socket_names){ 0 };
}

static void keep(struct nt_socket_names *sockets, uint64_t inode, const char *name, size_t length)
{
	sockets->names = nt_grow(sockets->names, &sockets->name_capacity, sockets->name_bytes + length + 1, 1);
	memcpy(sockets->names + sockets->name_bytes, name, length + 1);
	nt_index_put(&sockets->by_inode, inode, (uint32_t)sockets->name_bytes);
	sockets->name_bytes += length + 1;
}

static void take_line(struct reading *reading, const char *line, size_t length)
{
	struct nt_socket socket;
	char name[NT_SOCKET_NAME];
	if (!nt_socket_parse(reading->family, line, length, &socket))
		return;
	uint16_t port = socket.local.port;
	bool listens = socket.state == NT_SOCKET_LISTENS && reading->family <= NT_SOCKET_TCP6;
	if (listens)
		reading->listens[port / 8] |= (uint8_t)(1 << port % 8);
	/* The first that names it does: what another process calls its own socket of this machine comes last. */
	if (nt_index_get(&reading->sockets->by_inode, socket.inode) != NAMELESS)
		return;
	bool served = reading->family <= NT_SOCKET_TCP6 && reading->listens[port / 8] & 1 << port % 8;
	keep(reading->sockets, socket.inode, name, nt_socket_name(&socket, served, name));
}

/* Returns how much of the piece was whole lines. */
static size_t take_lines(struct reading *reading, const char *piece, size_t length)
{
	const char *at = piece, *end = piece + length;
	for (const char *stop; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1)
		take_line(reading, at, (size_t)(stop - at));
	return (size_t)(at - piece);
}

static void read_file(struct reading *reading, int dir_fd)
{
	char path[16], piece[PIECE_BYTES];
	snprintf(path, sizeof(path), "net/%s", nt_socket_file(reading->family));
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	size_t all = 0, left = 0;
	for (ssize_t got; all < FILE_BYTES && left < sizeof(piece) && (got = read(fd, piece + left, sizeof(piece) - left)) > 0;) {
		size_t length = left + (size_t)got, used = take_lines(reading, piece, length);
		left = length - used;
		memmove(piece, piece + used, left);
		all += (size_t)got;
	}
	close(fd);
}

static bool are_known(const struct nt_socket_names *sockets, const uint64_t *inodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (nt_index_get(&sockets->by_inode, inodes[i]) == NT_INDEX_NONE)
			return false;
	return true;
}

static nt_time fresh_for(nt_time cost_ns, bool asked)
{
	nt_time for_ns = asked ? 0 : cost_ns * FRESH_FACTOR;
	return for_ns < fresh_least_ns ? fresh_least_ns : for_ns > fresh_most_ns ? fresh_most_ns : for_ns;
}

void nt_socket_names_find(struct nt_socket_names *sockets, int dir_fd, const uint64_t *inodes, size_t count, nt_time now, bool asked)
{
	if (!count || now < sockets->rest_until || (now < sockets->fresh_until && are_known(sockets, inodes, count)))
		return;
	uint64_t used_ns = nt_clock_thread_cpu();
	struct reading reading = { .sockets = sockets };
	nt_index_fini(&sockets->by_inode);
	sockets->name_bytes = 0;
	for (size_t i = 0; i < count; i++)
		nt_index_put(&sockets->by_inode, inodes[i], NAMELESS);
	for (; reading.family < NT_SOCKET_FAMILY_COUNT; reading.family++)
		read_file(&reading, dir_fd);
	used_ns = nt_clock_thread_cpu() - used_ns;
	sockets->rest_until = nt_clock_now() + used_ns * IDLE_FACTOR;
	sockets->fresh_until = now + fresh_for(used_ns, asked);
}

const char *nt_socket_names_get(const struct nt_socket_names *sockets, uint64_t inode)
{
	uint32_t at = nt_index_get(&sockets->by_inode, inode);
	return at == NT_INDEX_NONE || at == NAMELESS ? NULL : sockets->names + at;
}
