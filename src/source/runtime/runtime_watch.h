/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One process whose threads are looked at and whose code is named, from outside: its reader (source/contract), what is known of its threads, what was asked. Several share
 * an outbox; a reader that ends or hangs is its own process's alone. Inside src/source/runtime/ only; the main thread's.
 */
#ifndef NT_SOURCE_RUNTIME_WATCH_H
#define NT_SOURCE_RUNTIME_WATCH_H

#include "nettop/source.h"
#include "source/common/outbox.h"

#define NT_NO_STACKS_DESCRIBED "the runtime does not describe its call stacks: that came with .NET 10"

struct nt_runtime_watch;

/* What all have in common; borrowed by each. */
struct nt_runtime_common {
	struct nt_outbox box;
	int epoll; /* owned: readers whose answers are there */
	nt_time interval_ns;
	bool as_moments; /* as in struct nt_look_told */
	uint32_t moment;
	bool native;     /* frames of native code are told too, whatever is wanted; the following is for them */
	bool readonly;   /* as in struct nt_source_config */
	char *proc_root; /* owned */
};

/* Begin with a process of which nothing is wanted yet. Both are borrowed until nt_runtime_watch_free(). Never NULL; no reader is started yet. */
struct nt_runtime_watch *nt_runtime_watch_new(struct nt_runtime_common *common, const struct nt_target *target);
void nt_runtime_watch_free(struct nt_runtime_watch *watch); /* NULL is allowed */

uint32_t nt_runtime_watch_pid(const struct nt_runtime_watch *watch);

/* As those of struct nt_source_ops. Of questions it takes those that are about this process. */
void nt_runtime_watch_want(struct nt_runtime_watch *watch, unsigned demand);
size_t nt_runtime_watch_ask(struct nt_runtime_watch *watch, const struct nt_question *questions, size_t count);
void nt_runtime_watch_tick(struct nt_runtime_watch *watch, nt_time now, bool closing);
nt_time nt_runtime_watch_rest(const struct nt_runtime_watch *watch);

/* Take at most `budget` of the reader's answers. What comes of them is in the outbox. */
void nt_runtime_watch_go_on(struct nt_runtime_watch *watch, unsigned budget);

/* Say no more when what was asked is answered, or after 1 s: a reader may only just have been started. */
void nt_runtime_watch_stop(struct nt_runtime_watch *watch);
bool nt_runtime_watch_has_stopped(const struct nt_runtime_watch *watch);

/* Add what its readers, and whoever walks its stacks, have used. */
void nt_runtime_watch_cost(struct nt_runtime_watch *watch, struct nt_source_stats *out);

#endif
