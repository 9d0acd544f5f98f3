/* SPDX-License-Identifier: GPL-2.0-only */
/* One function per event of the runtime. What is not enabled costs a load and a branch; the gates are the callers'. */
#ifndef FAKECLR_EMIT_H
#define FAKECLR_EMIT_H

#include "runtime.h"

bool emit_gc_wanted(void); /* is the sentinel tracepoint GCStart enabled? */

void emit_suspend_begin(uint32_t reason, uint32_t count);
void emit_suspend_end(void);
void emit_restart_begin(void);
void emit_restart_end(void);
void emit_gc_triggered(uint32_t reason);
void emit_gc_start(uint32_t number, uint32_t generation, uint32_t reason, uint32_t type);
void emit_gc_end(uint32_t number, uint32_t generation);
void emit_heap_stats(const struct heap *heap);
void emit_global_history(uint32_t generation, uint32_t reason, bool background);
void emit_heap_history(const struct heap *before, const struct heap *after);
void emit_allocation_sampled(uint32_t kind, const char *type, uint64_t object_bytes);
void emit_jitting_started(const struct method *method, uint32_t il_bytes);
void emit_method_load(const struct method *method);
void emit_method_unload(const struct method *method);
void emit_background_jit(bool start, uint32_t pending, uint32_t jitted);
enum pool_change { POOL_START, POOL_STOP, POOL_WAIT };
void emit_pool_worker(enum pool_change change, uint32_t active);
void emit_pool_adjustment(double throughput, uint32_t goal, uint32_t reason);
void emit_contention_start(uint64_t lock, uint64_t owner);
void emit_contention_stop(double duration_ns);
void emit_exception(const char *type, const char *message, const void *ip);
void emit_exception_catch(const char *method, const void *ip);
void emit_thread_created(uint64_t id, uint32_t flags, uint32_t os_tid);
void emit_thread_terminated(uint64_t id);

#endif
