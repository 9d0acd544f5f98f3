/* SPDX-License-Identifier: GPL-2.0-only */
/* The files worker (design: Threads and waiting): one thread that reads what belongs to the target and answers questions, until it is told to stop. */
#ifndef NT_SOURCE_CODEMAP_WORKER_H
#define NT_SOURCE_CODEMAP_WORKER_H

#include "base/channel.h"
#include "source/codemap/codemap_inbox.h"
#include "source/common/files_target.h"

struct nt_codemap_worker;

/* Start the thread. `channel` and `inbox` are borrowed for its life. */
enum nt_status nt_codemap_worker_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_channel *channel,
				     struct nt_codemap_inbox *inbox, struct nt_codemap_worker **out, struct nt_error *err);

/* Has it sent its last batch? */
bool nt_codemap_worker_ended(const struct nt_codemap_worker *worker);

/* CPU time of its threads, and of its decoder, ns. */
uint64_t nt_codemap_worker_cpu_ns(const struct nt_codemap_worker *worker);
uint64_t nt_codemap_worker_decoder_cpu_ns(const struct nt_codemap_worker *worker);
uint64_t nt_codemap_worker_decoder_bytes(const struct nt_codemap_worker *worker);

/* Cancels, joins, frees. Does not wait for a file that hangs. NULL is allowed. */
void nt_codemap_worker_free(struct nt_codemap_worker *worker);

#endif
