/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process has open: a look reads the links of /proc/PID/fd, some per step, and tells of all descriptors with one name together. The links are read, not
 * followed: that opens nothing, and asks no file system. Sockets are called by whom they are connected to. A look is bounded: the descriptors with the lowest numbers, NT_DESCRIPTORS_MOST of them.
 */
#ifndef NT_SOURCE_PROCFS_DESCRIPTORS_H
#define NT_SOURCE_PROCFS_DESCRIPTORS_H

#include "source/common/outbox.h"
#include "source/common/socket_names.h"

enum {
	NT_DESCRIPTORS_MOST = 1024, /* in a look */
	NT_DESCRIPTOR_NAME = 512,   /* bytes kept of a link; what is cut ends in three dots */
};

struct nt_open_fd {
	int fd;
	uint32_t kind, ways;     /* as in struct nt_ev_descriptor */
	uint32_t offset, length; /* its name in `names` */
	uint64_t inode;          /* of a socket; else 0 */
	uint64_t what;           /* hash of the whole link: whether it is the same as in the look before */
	bool opened;             /* the look before did not find it */
	uint32_t blocked_count, blocked_tid;
	nt_time blocked_since;
};

/* All zero is a beginning. */
struct nt_procfs_descriptors {
	struct nt_open_fd *items; /* owned; sorted by fd while a look goes on, by kind and name when it is told */
	size_t count, capacity, next;
	struct nt_open_fd *before; /* owned; of the look before, sorted by fd */
	size_t before_count, before_capacity;
	bool has_before, before_cut; /* there is one; it ended at the limit */
	char *names;                 /* owned */
	struct nt_socket_names sockets;
	size_t name_bytes, name_capacity;
	int dir_fd; /* owned while a look goes on; of /proc/PID/fd */
	uint64_t hidden_count;
	bool hidden_known;
};

void nt_procfs_descriptors_fini(struct nt_procfs_descriptors *list);

/* Nobody has looked for a while: what the next look finds is not new. */
void nt_procfs_descriptors_forget(struct nt_procfs_descriptors *list);

/* Begin a look; `dir_fd` is of /proc/PID. 0, or why that cannot be: errno. Quick: only numbers are read. */
int nt_procfs_descriptors_begin(struct nt_procfs_descriptors *list, int dir_fd);

/* Go on up to the moment `until`, one at least; `dir_fd` as before. True: all have been read. */
bool nt_procfs_descriptors_step(struct nt_procfs_descriptors *list, int dir_fd, nt_time until);

/* The descriptor of this number, until the look is told; NULL: it was not looked at. */
struct nt_open_fd *nt_procfs_descriptors_find(struct nt_procfs_descriptors *list, int fd);

/* Tell all: a DESCRIPTOR event for each name. */
void nt_procfs_descriptors_tell(struct nt_procfs_descriptors *list, nt_time now, uint32_t pid, struct nt_outbox *box);

#endif
