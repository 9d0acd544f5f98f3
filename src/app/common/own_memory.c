// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/own_memory.h"

#include <malloc.h>

#include "base/alloc.h"

/* At the end of every fifth interval of one second: of what is given back half is wanted again by the next one, a page fault for each page. */
static const nt_time give_back_every_ns = 9 * NT_NS_PER_S / 2;

/*
 * What is made for the whole run is mostly large tables that fill slowly. As a block of the system's own each page of it is zero, and there when it is first needed; within the heap calloc()
 * would clear them all, and so have them all.
 */
enum { TABLE_BYTES = 64 << 10 };

/*
 * What an interval takes is not returned and asked for again within it, a page fault for each page: from then on blocks of the first size are the system's, and the second may be free at the
 * end of the heap.
 */
enum { LARGE_BYTES = 512 << 10, FREE_BYTES = 8 << 20 };

/*
 * What the heap of a session has grown by when its sources are opened, what it grows by from then on until it has told of its first interval, and what it does besides where there is a trace to be
 * read; or somewhat less.
 */
enum { SESSION_BYTES = 1600 << 10, SOURCES_BYTES = 800 << 10, TRACE_BYTES = 2000 << 10 };

/* Less than that in holes is not looked for. */
enum { WORTH_BYTES = 2 << 20 };

/*
 * A heap for each thread keeps what that thread once needed, and a large block that was freed stays in one as a hole; our threads allocate too seldom to wait
 * for each other.
 */
void nt_own_memory_keep_small(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, TABLE_BYTES);
	mallopt(M_TRIM_THRESHOLD, FREE_BYTES);
}

static void touch(size_t bytes)
{
	mallopt(M_MMAP_THRESHOLD, FREE_BYTES);
	nt_touch_heap(bytes);
}

void nt_own_memory_begin(void)
{
	touch(SESSION_BYTES);
	mallopt(M_MMAP_THRESHOLD, TABLE_BYTES);
}

void nt_own_memory_keep_ready(bool traced)
{
	touch(SOURCES_BYTES + (traced ? TRACE_BYTES : 0));
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
}

/* The chains of an epoch, a snapshot, a burst of events leave holes between what stays, and malloc gives back by itself only what lies at the end. */
void nt_own_memory_give_back(nt_time now)
{
	static nt_time next;
	if (now < next)
		return;
	next = now + give_back_every_ns;
	if (mallinfo2().fordblks >= WORTH_BYTES)
		malloc_trim(0);
}
