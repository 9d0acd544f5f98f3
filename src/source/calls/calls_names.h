/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sums of calls_program.h are on, as people say it: as far as a descriptor is still open, what /proc says of it, so that it is called as in DESCRIPTOR events; of one that has been closed since, what the program
 * called it when it was made. A link is believed when the descriptor was not given away anew while it was read.
 */
#ifndef NT_SOURCE_CALLS_NAMES_H
#define NT_SOURCE_CALLS_NAMES_H

#include "source/calls/calls_maps.h"
#include "source/common/socket_names.h"

enum { NT_CALLS_NAME = 516, NT_CALLS_NAMES_KEPT = 1 << 14 };

/* A name that the programs have given away. */
struct nt_calls_kept {
	uint32_t number;
	bool settled;                 /* /proc has told, too */
	uint32_t kind;                /* enum nt_io_kind */
	uint64_t used;                /* the turn in which somebody asked for it last */
	char *text;                   /* owned; NULL = it has none */
	struct nt_calls_key listener; /* of what was accepted */
};

/* All zero is a beginning. */
struct nt_calls_names {
	struct nt_calls_kept *items; /* owned; in no order */
	size_t count, capacity;
	struct nt_index by_number;
	struct nt_index fds; /* number of a name -> a descriptor that is called so; made in a turn when somebody asks */
	uint64_t turn, fds_turn;
	uint64_t taken; /* names given away that were taken */
	struct nt_socket_names sockets;
	volatile struct nt_calls_place *now;  /* borrowed: the programs' */
	const struct nt_calls_shared *shared; /* likewise */
	int fd_dir;                           /* of /proc/PID/fd while a turn goes on; -1 = none */
	int dir_fd;                           /* borrowed: of /proc/PID */
	unsigned links;                       /* read in this turn */
	uint64_t *inodes;                     /* owned: of the sockets that somebody asks for in this turn */
	size_t inode_count, inode_capacity;
};

void nt_calls_names_fini(struct nt_calls_names *names);

/* A turn begins: take what was named since the one before. `shared` and `fds` are the programs', mapped; `dir_fd` is of /proc/PID. */
void nt_calls_names_begin(struct nt_calls_names *names, const struct nt_calls_programs *programs, const struct nt_calls_shared *shared,
			  volatile struct nt_calls_place *fds, int dir_fd);

/* Of each sum that will be asked for in this turn, first: then all sockets are looked for at once. */
void nt_calls_names_prepare(struct nt_calls_names *names, const struct nt_calls_key *key);
void nt_calls_names_prepared(struct nt_calls_names *names);

/* What a sum is on. False: nobody knows. *kind: enum nt_io_kind; `text` has its name, "" = it has none, or not yet. *settled: that is all that will be known. */
bool nt_calls_names_find(struct nt_calls_names *names, const struct nt_calls_key *key, uint32_t *kind, char text[NT_CALLS_NAME],
			 bool *settled);

void nt_calls_names_end(struct nt_calls_names *names);

#endif
