/* SPDX-License-Identifier: GPL-2.0-only */
/* The other side of base/apart.h: one process that forks, so that nothing of nettop's is copied into who may stay for ever, and those that do the work. */
#ifndef NT_BASE_APART_PROCESS_H
#define NT_BASE_APART_PROCESS_H

#include "base/apart.h"

#include <stdint.h>

/* What a worker is sent: its memory is a copy of ours, so the function is at the same place there. */
struct nt_apart_packet {
	nt_apart_work *work;
	size_t answer_size;
	_Alignas(max_align_t) char asked[NT_APART_BYTES];
};

/* What a worker is made with. */
enum { NT_APART_SOCKET, NT_APART_PLACES, NT_APART_ENDS };

/* What it answers; of `answer` only as many bytes as were asked for. */
struct nt_apart_reply {
	uint64_t cpu_ns; /* that it has used since its last answer */
	_Alignas(max_align_t) char answer[NT_APART_BYTES];
};

/* After fork(): be the forker. A packet with a socket and an eventfd makes a worker that is at that socket and counts its places in the other; the answer is a packet with its pidfd. */
_Noreturn void nt_apart_fork_workers(int socket);

#endif
