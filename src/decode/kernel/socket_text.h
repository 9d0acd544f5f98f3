/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is at the other end of a socket: the lines of /proc/PID/net/tcp, tcp6, udp, udp6 and unix. Pure functions on bytes that somebody else read; formats as in proc(5) and in the kernel's
 * Documentation/networking/proc_net_tcp.rst. Paths are the target's: any byte may be in them.
 */
#ifndef NT_DECODE_SOCKET_TEXT_H
#define NT_DECODE_SOCKET_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nt_socket_family { NT_SOCKET_TCP, NT_SOCKET_TCP6, NT_SOCKET_UDP, NT_SOCKET_UDP6, NT_SOCKET_UNIX, NT_SOCKET_FAMILY_COUNT };

/* The file in /proc/PID/net that lists these. */
const char *nt_socket_file(enum nt_socket_family family);

/* As in the kernel's tcp_states.h, of UDP too. */
enum nt_socket_state { NT_SOCKET_ESTABLISHED = 1, NT_SOCKET_LISTENS = 10, NT_SOCKET_STATE_COUNT = 13 };

struct nt_socket_end {
	uint8_t address[16]; /* in network order; of IPv4 the first four bytes */
	uint16_t port;
};

struct nt_socket {
	uint64_t inode; /* the number in its link, `socket:[NUMBER]` */
	enum nt_socket_family family;
	unsigned state;                     /* enum nt_socket_state, or another number below NT_SOCKET_STATE_COUNT */
	struct nt_socket_end local, remote; /* not of NT_SOCKET_UNIX */
	const char *path;                   /* NT_SOCKET_UNIX: borrowed from the line */
	size_t path_length;
	bool abstract; /* likewise: it is no path, but a name that lies in no file system; /proc/PID/net/unix has an @ before it */
};

/* A line without its end. False: it is a heading, or not of the format; `out` is of no use then. */
bool nt_socket_parse(enum nt_socket_family family, const char *line, size_t length, struct nt_socket *out);

/* The number of the link of a descriptor; 0 = it is no socket's. */
uint64_t nt_socket_inode(const char *link, size_t length);

/*
 * A struct sockaddr, as a program hands it to connect(): whom the socket is connected to then, of TCP where the family leaves that open. False: it is of another family, or shorter than its family
 * wants; `out` is of no use then. Borrows a path.
 */
bool nt_socket_address(const uint8_t *bytes, size_t length, struct nt_socket *out);

enum { NT_SOCKET_NAME = 160 };

/*
 * What people know it by: whom it is connected to, `10.0.0.5:5432`, where it listens, and of those that others opened (`served`: somebody listens at its local port) the port that they came to. A state other
 * than the usual one is in it, CLOSE_WAIT say. Returns its length; a path that is too long ends in three dots.
 */
size_t nt_socket_name(const struct nt_socket *socket, bool served, char text[NT_SOCKET_NAME]);

#endif
