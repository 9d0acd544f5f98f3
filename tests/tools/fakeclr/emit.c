// SPDX-License-Identifier: GPL-2.0-only
#include "emit.h"

#include <string.h>

/* As in the real libcoreclr.so: tracepoints here, probes in a library that is loaded at start. */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#include "fakeclr/provider.h"

#define EMIT(event, ...) lttng_ust_tracepoint(DotNETRuntime, event, __VA_ARGS__)

enum { CLR_ID = 0, PAYLOAD_MAX = 4096 };

/* The packed form: fields one after the other without padding. */
struct payload {
	char bytes[PAYLOAD_MAX];
	unsigned length;
};

static void put(struct payload *payload, const void *data, size_t size)
{
	if (size > sizeof(payload->bytes) - payload->length)
		return;
	memcpy(payload->bytes + payload->length, data, size);
	payload->length += (unsigned)size;
}

static void put_u16(struct payload *payload, uint16_t value)
{
	put(payload, &value, sizeof(value));
}

static void put_u32(struct payload *payload, uint32_t value)
{
	put(payload, &value, sizeof(value));
}

static void put_u64(struct payload *payload, uint64_t value)
{
	put(payload, &value, sizeof(value));
}

/* ASCII as UTF-16 with its NUL. */
static void put_text(struct payload *payload, const char *text)
{
	do
		put_u16(payload, (unsigned char)*text);
	while (*text++);
}

bool emit_gc_wanted(void)
{
	return lttng_ust_tracepoint_enabled(DotNETRuntime, GCStart);
}

void emit_suspend_begin(uint32_t reason, uint32_t count)
{
	EMIT(GCSuspendEEBegin_V1, reason, count, CLR_ID);
}

void emit_suspend_end(void)
{
	EMIT(GCSuspendEEEnd_V1, CLR_ID);
}

void emit_restart_begin(void)
{
	EMIT(GCRestartEEBegin_V1, CLR_ID);
}

void emit_restart_end(void)
{
	EMIT(GCRestartEEEnd_V1, CLR_ID);
}

void emit_gc_triggered(uint32_t reason)
{
	EMIT(GCTriggered, reason, CLR_ID);
}

void emit_gc_start(uint32_t number, uint32_t generation, uint32_t reason, uint32_t type)
{
	EMIT(GCStart_V2, number, generation, reason, type, CLR_ID, 0);
}

void emit_gc_end(uint32_t number, uint32_t generation)
{
	EMIT(GCEnd_V1, number, generation, CLR_ID);
}

static uint64_t gross(const struct heap *heap, unsigned generation)
{
	return heap->live_bytes[generation] + heap->free_list_bytes[generation] + heap->free_obj_bytes[generation];
}

void emit_heap_stats(const struct heap *heap)
{
	struct payload payload = { .length = 0 };
	for (unsigned i = 0; i <= GEN_LOH; i++) {
		put_u64(&payload, gross(heap, i));
		put_u64(&payload, heap->live_bytes[i] / 4);
	}
	put_u64(&payload, 0); /* FinalizationPromotedSize, ...Count */
	put_u64(&payload, 0);
	put_u32(&payload, 1);  /* pinned objects */
	put_u32(&payload, 0);  /* sink blocks */
	put_u32(&payload, 15); /* handles */
	put_u16(&payload, CLR_ID);
	put_u64(&payload, gross(heap, 4));
	put_u64(&payload, heap->live_bytes[4]);
	EMIT(GCHeapStats_V2, payload.length, payload.bytes);
}

void emit_global_history(uint32_t generation, uint32_t reason, bool background)
{
	struct payload payload = { .length = 0 };
	put_u64(&payload, 16 << 20); /* FinalYoungestDesired */
	put_u32(&payload, 1);        /* NumHeaps */
	put_u32(&payload, generation);
	put_u32(&payload, 0); /* Gen0ReductionCount */
	put_u32(&payload, reason);
	put_u32(&payload, background ? 1 : 4 /* promotion */);
	put_u16(&payload, CLR_ID);
	put_u32(&payload, 1); /* PauseMode: interactive */
	put_u32(&payload, 7); /* MemoryPressure, % */
	put_u32(&payload, 0); /* CondemnReasons0, 1 */
	put_u32(&payload, 0);
	put_u32(&payload, 0); /* Count of Times */
	EMIT(GCGlobalHeapHistory_V4, payload.length, payload.bytes);
}

void emit_heap_history(const struct heap *before, const struct heap *after)
{
	struct payload payload = { .length = 0 };
	put_u16(&payload, CLR_ID);
	for (unsigned i = 0; i < 6; i++)
		put_u64(&payload, 0); /* FreeListAllocated ... PinnedAllocatedAdvance */
	for (unsigned i = 0; i < 6; i++)
		put_u32(&payload, 0); /* RunningFreeListEfficiency ... HeapIndex */
	put_u64(&payload, 0);         /* ExtraGen0Commit */
	put_u32(&payload, GENERATIONS);
	for (unsigned i = 0; i < GENERATIONS; i++) {
		put_u64(&payload, gross(before, i));
		put_u64(&payload, before->free_list_bytes[i]);
		put_u64(&payload, before->free_obj_bytes[i]);
		put_u64(&payload, gross(after, i));
		put_u64(&payload, after->free_list_bytes[i]);
		put_u64(&payload, after->free_obj_bytes[i]);
		for (unsigned k = 0; k < 4; k++)
			put_u64(&payload, 0); /* In, PinnedSurv, NonePinnedSurv, NewAllocation */
	}
	EMIT(GCPerHeapHistory_V3, payload.length, payload.bytes);
}

void emit_allocation_sampled(uint32_t kind, const char *type, uint64_t object_bytes)
{
	EMIT(AllocationSampled, kind, CLR_ID, 0x7f0012345678, type, 0x7e0000001000, object_bytes, 0);
}

void emit_jitting_started(const struct method *method, uint32_t il_bytes)
{
	EMIT(MethodJittingStarted_V1, method->id, 0x7f0000001000, 0x06000001, il_bytes, method->type, method->name, method->signature,
	     CLR_ID);
}

/* MethodLoadVerbose and MethodUnloadVerbose: _V1 for a method's first code, _V2 with ReJITID for later ones. */
static void pack_method(struct payload *payload, const struct method *method)
{
	payload->length = 0;
	put_u64(payload, method->id);
	put_u64(payload, 0x7f0000001000);
	put_u64(payload, (uint64_t)(uintptr_t)method->start);
	put_u32(payload, (uint32_t)method->size);
	put_u32(payload, 0x06000001);
	put_u32(payload, method->flags);
	put_text(payload, method->type);
	put_text(payload, method->name);
	put_text(payload, method->signature);
	put_u16(payload, CLR_ID);
	if (method->rejit_id)
		put_u64(payload, method->rejit_id);
}

void emit_method_load(const struct method *method)
{
	struct payload payload;
	pack_method(&payload, method);
	if (method->rejit_id)
		EMIT(MethodLoadVerbose_V2, payload.length, payload.bytes);
	else
		EMIT(MethodLoadVerbose_V1, payload.length, payload.bytes);
}

void emit_method_unload(const struct method *method)
{
	struct payload payload;
	pack_method(&payload, method);
	if (method->rejit_id)
		EMIT(MethodUnloadVerbose_V2, payload.length, payload.bytes);
	else
		EMIT(MethodUnloadVerbose_V1, payload.length, payload.bytes);
}

void emit_background_jit(bool start, uint32_t pending, uint32_t jitted)
{
	if (start)
		EMIT(TieredCompilationBackgroundJitStart, CLR_ID, pending);
	else
		EMIT(TieredCompilationBackgroundJitStop, CLR_ID, pending, jitted);
}

void emit_pool_worker(enum pool_change change, uint32_t active)
{
	if (change == POOL_START)
		EMIT(ThreadPoolWorkerThreadStart, active, 0, CLR_ID);
	else if (change == POOL_STOP)
		EMIT(ThreadPoolWorkerThreadStop, active, 0, CLR_ID);
	else
		EMIT(ThreadPoolWorkerThreadWait, active, 0, CLR_ID);
}

void emit_pool_adjustment(double throughput, uint32_t goal, uint32_t reason)
{
	EMIT(ThreadPoolWorkerThreadAdjustmentAdjustment, throughput, goal, reason, CLR_ID);
}

void emit_contention_start(uint64_t lock, uint64_t owner)
{
	EMIT(ContentionStart_V2, 0, CLR_ID, lock, lock, owner);
}

void emit_contention_stop(double duration_ns)
{
	EMIT(ContentionStop_V1, 0, CLR_ID, duration_ns);
}

void emit_exception(const char *type, const char *message, const void *ip)
{
	EMIT(ExceptionThrown_V1, type, message, (size_t)ip, 0x80131500, 0x10, CLR_ID);
}

void emit_exception_catch(const char *method, const void *ip)
{
	EMIT(ExceptionCatchStart, (uint64_t)(uintptr_t)ip, 1, method, CLR_ID);
	lttng_ust_tracepoint(DotNETRuntime, ExceptionCatchStop);
}

void emit_thread_created(uint64_t id, uint32_t flags, uint32_t os_tid)
{
	EMIT(ThreadCreated, id, 1, flags, (uint32_t)id, os_tid, CLR_ID);
}

void emit_thread_terminated(uint64_t id)
{
	EMIT(ThreadTerminated, id, 1, CLR_ID);
}
