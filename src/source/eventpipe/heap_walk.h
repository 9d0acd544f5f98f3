/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All objects of a process by type, on demand. The runtime tells of them in a full blocking collection that a session asks for; the reply to that request comes when the collection is
 * over, so its own stream would have to wait in the target's memory, all of it. So there are two sessions: one that is read while the process stands still, and one that makes the runtime
 * collect. References between objects are left out unless they are wanted, which is a third of the bytes (.NET 10; older runtimes cannot leave them out, and they are read over).
 *
 * What it does to the process: all its threads stand still for a full collection and some 60 ns for each object; it has up to `buffer_mb` more memory until the end of the stream.
 * Whoever gives up closes both connections, at which the runtime ends the sessions: a collection that has begun goes on to its end.
 */
#ifndef NT_SOURCE_HEAP_WALK_H
#define NT_SOURCE_HEAP_WALK_H

#include "nettop/heap_found.h"
#include "nettop/source.h"

struct nt_heap_walk;

/* What is wanted of it. */
struct nt_heap_wish {
	uint32_t buffer_mb;    /* room for events in the target's memory */
	uint64_t stream_bytes; /* as many will come, or some more or fewer: for who waits; 0 = not known */
	uint64_t graph_bytes;  /* references, too: memory of ours that they may take; 0 = none are told */
};

/*
 * Room for events in the target's memory: what it may have at most, and with references, of which none may be lost; and what is too little to begin with.
 */
enum { NT_HEAP_BUFFER_MB = 256, NT_HEAP_GRAPH_BUFFER_MB = 512, NT_HEAP_BUFFER_LEAST_MB = 16 };

/*
 * A quarter of what is left: in its cgroups (UINT64_MAX = no limit that can be seen) and on the machine; at most `most_mb`.
 */
uint32_t nt_heap_walk_buffer_mb(uint64_t cgroup_free, uint64_t machine_free, uint32_t most_mb);

/*
 * `target` and `config` are borrowed. Errors are those of nt_eventpipe_session_open(). On success *out is the caller's, who goes on with nt_heap_walk_advance() and ends it with
 * nt_heap_walk_close().
 */
enum nt_status nt_heap_walk_open(const struct nt_target *target, const struct nt_source_config *config, const struct nt_heap_wish *wish,
				 nt_time now, struct nt_heap_walk **out, struct nt_error *err);

/*
 * Go on as far as that is possible now. NT_AGAIN: not at the end; come again when nt_heap_walk_fd() is readable, and after some ms in any case. NT_OK: it is at its end, *out is the
 * caller's. Errors: the runtime's refusal, GONE, TIMEOUT, MALFORMED.
 */
enum nt_status nt_heap_walk_advance(struct nt_heap_walk *walk, nt_time now, struct nt_heap_found **out, struct nt_error *err);

/* Of the stream with the objects; -1: there is none yet. */
int nt_heap_walk_fd(const struct nt_heap_walk *walk);

/* For who waits: objects that have come so far, bytes of their stream. */
uint64_t nt_heap_walk_count(const struct nt_heap_walk *walk);
uint64_t nt_heap_walk_bytes(const struct nt_heap_walk *walk);

/* How many are expected, of the wish; 0 = not known. */
uint64_t nt_heap_walk_expected(const struct nt_heap_walk *walk);

/* Does the process stand still now, or is it about to? */
bool nt_heap_walk_is_collecting(const struct nt_heap_walk *walk);

void nt_heap_walk_close(struct nt_heap_walk *walk); /* NULL is allowed */

#endif
