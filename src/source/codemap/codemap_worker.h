/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files worker (design: Threads and waiting): one thread that reads what belongs to one process and answers questions about it, until it is told to stop. Each process has its own,
 * so that files of one that hang, or an image that takes long, hold up no other. The main thread calls what is here.
 */
#ifndef NT_SOURCE_CODEMAP_WORKER_H
#define NT_SOURCE_CODEMAP_WORKER_H

#include "base/channel.h"
#include "source/codemap/codemap_inbox.h"
#include "source/common/files_target.h"

struct nt_codemap_worker;

/* Start the thread. `config` is borrowed for its life, of `target` it has a copy. Errors: FAILED, no thread or descriptor is to be had. */
enum nt_status nt_codemap_worker_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_codemap_worker **out,
				     struct nt_error *err);

uint32_t nt_codemap_worker_pid(const struct nt_codemap_worker *worker);

/* Readable while batches wait. */
int nt_codemap_worker_fd(const struct nt_codemap_worker *worker);

/* As nt_codemap_inbox_ask(), nt_codemap_inbox_need() and nt_codemap_inbox_stop(). */
size_t nt_codemap_worker_ask(struct nt_codemap_worker *worker, const struct nt_question *questions, size_t count);
void nt_codemap_worker_need(struct nt_codemap_worker *worker, bool perf_map);
void nt_codemap_worker_stop(struct nt_codemap_worker *worker);

/* The next batch, or NULL; it is given back when it has been applied. */
struct nt_batch *nt_codemap_worker_take(struct nt_codemap_worker *worker);
void nt_codemap_worker_give_back(struct nt_codemap_worker *worker, struct nt_batch *batch);

/* Has it sent its last batch? */
bool nt_codemap_worker_ended(const struct nt_codemap_worker *worker);

/* CPU time of its threads, and of its decoder, ns; memory of the latter. */
uint64_t nt_codemap_worker_cpu_ns(const struct nt_codemap_worker *worker);
uint64_t nt_codemap_worker_decoder_cpu_ns(const struct nt_codemap_worker *worker);
uint64_t nt_codemap_worker_decoder_bytes(const struct nt_codemap_worker *worker);

/* Cancels, joins, frees. Does not wait for a file that hangs. NULL is allowed. */
void nt_codemap_worker_free(struct nt_codemap_worker *worker);

#endif
