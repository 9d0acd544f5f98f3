/* SPDX-License-Identifier: GPL-2.0-only */
/* The other side of base/apart.h: one process that forks, so that nothing of nettop's is copied into who may stay for ever, and those that do the work. */
#ifndef NT_BASE_APART_PROCESS_H
#define NT_BASE_APART_PROCESS_H

#include "base/apart.h"

/* What a worker is sent: its memory is a copy of ours, so the function is at the same place there. */
struct nt_apart_packet {
	nt_apart_work *work;
	size_t answer_size;
	_Alignas(max_align_t) char asked[NT_APART_BYTES];
};

/* After fork(): be the forker. A packet with a descriptor makes a worker that is at that socket; the answer is a packet with its pidfd. */
_Noreturn void nt_apart_fork_workers(int socket);

#endif
