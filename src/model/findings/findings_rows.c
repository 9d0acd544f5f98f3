// SPDX-License-Identifier: GPL-2.0-only
/* Which rows a finding is about. */
#include "model/findings/findings.h"

#include "model/findings/blame.h"

struct nt_u64 nt_findings_row(const struct nt_case *about, enum nt_finding_kind kind)
{
	const struct nt_process_snapshot *process = about->process;
	const struct nt_u64 none = { 0 };
	switch (kind) {
	case NT_FINDING_DEADLOCK:
		for (size_t i = 0; i < process->thread_count; i++)
			if (process->threads[i].deadlocked)
				return nt_u64_of(process->threads[i].id);
		return none;
	case NT_FINDING_POOL_STARVATION: {
		struct nt_blame_pool pool = nt_blame_pool(process);
		return pool.longest ? nt_u64_of(pool.longest->id) : none;
	}
	case NT_FINDING_LOCK_CONVOY: {
		const struct nt_lock_row *lock = nt_blame_lock(process);
		return lock ? nt_u64_of(lock->id) : none;
	}
	case NT_FINDING_FINALIZERS:
		return nt_u64_of(nt_blame_finalizers(process)->id);
	case NT_FINDING_EXCEPTION_FLOOD: {
		const struct nt_exception_row *type = nt_blame_exception(process);
		return type ? nt_u64_of(type->id) : none;
	}
	case NT_FINDING_REQUEST_ERRORS: {
		const struct nt_request_row *route = nt_blame_request(process);
		return route ? nt_u64_of(route->id) : none;
	}
	case NT_FINDING_SLOW_REQUESTS: {
		const struct nt_request_row *route = nt_blame_slow(process, NT_REQUEST_SERVED);
		struct nt_slow_call call;
		if (about->condition->limits[0].quantity == NT_QUANTITY_SLOW_CALL)
			return nt_blame_slow_call(process, &call) ? nt_u64_of(call.made->id) : none;
		return route && about->condition->limits[0].quantity == NT_QUANTITY_SLOWER ? nt_u64_of(route->id) : none;
	}
	case NT_FINDING_HEAP_GROWTH:
	case NT_FINDING_ALLOC_BURST: {
		const struct nt_alloc_row *type = nt_blame_allocation(process);
		return type ? nt_u64_of(type->id) : none;
	}
	case NT_FINDING_LOH_CHURN: {
		const struct nt_alloc_row *type = nt_blame_large(process);
		return type ? nt_u64_of(type->id) : none;
	}
	case NT_FINDING_GC_STORM: {
		struct nt_blame_gc gc = nt_findings_gc(about);
		return (struct nt_u64){ .v = gc.number, .known = gc.known };
	}
	case NT_FINDING_JIT_STORM: {
		const struct nt_jit_row *method = nt_blame_jit(process);
		return method ? nt_u64_of(method->id) : none;
	}
	case NT_FINDING_SPINNING_THREAD:
		return nt_u64_of(about->thread->hot[0].method_id);
	case NT_FINDING_BLOCKED_THREAD:
		return nt_u64_of(about->thread->id);
	default:
		return none;
	}
}

/* ---- marks ---- */

static void mark_threads(struct nt_process_snapshot *process, bool (*concerned)(const struct nt_thread_row *row))
{
	for (size_t i = 0; i < process->thread_count; i++)
		process->threads[i].marked |= concerned(&process->threads[i]);
}

static bool waits_for_lock(const struct nt_thread_row *row)
{
	return row->lock_ns.known;
}

static bool is_deadlocked(const struct nt_thread_row *row)
{
	return row->deadlocked;
}

static void mark_thread(struct nt_process_snapshot *process, uint64_t id)
{
	for (size_t i = 0; i < process->thread_count; i++)
		process->threads[i].marked |= process->threads[i].id == id;
}

static void mark_method(struct nt_process_snapshot *process, uint64_t id)
{
	for (size_t i = 0; i < process->method_count; i++)
		process->methods[i].marked |= process->methods[i].id == id;
}

static void mark_jit(struct nt_process_snapshot *process, uint64_t id)
{
	for (size_t i = 0; i < process->jit_method_count; i++)
		process->jit_methods[i].marked |= process->jit_methods[i].id == id;
}

static void mark_lock(struct nt_process_snapshot *process, uint64_t id)
{
	for (size_t i = 0; i < process->lock_count; i++)
		process->locks[i].marked |= process->locks[i].id == id;
}

static void mark_exception(struct nt_process_snapshot *process)
{
	const struct nt_exception_row *type = nt_blame_exception(process);
	for (size_t i = 0; i < process->exception_count; i++)
		process->exceptions[i].marked |= &process->exceptions[i] == type;
}

static void mark_allocation(struct nt_process_snapshot *process, const struct nt_alloc_row *type)
{
	for (size_t i = 0; i < process->allocation_count; i++)
		process->allocations[i].marked |= &process->allocations[i] == type;
}

/* That of the collection that is told of. */
static void mark_generation(struct nt_process_snapshot *process, uint64_t number)
{
	for (size_t i = 0; i < process->collection_count; i++)
		if (process->collections[i]->id == number && process->collections[i]->generation <= 2)
			process->generations[nt_blame_generation(process->collections[i])].marked = true;
}

void nt_findings_mark(const struct nt_finding_state *state, struct nt_process_snapshot *process)
{
	uint64_t id = state->said.row_id.known ? state->said.row_id.v : 0; /* no row has the id 0 */
	switch (state->said.kind) {
	case NT_FINDING_DEADLOCK:
		mark_threads(process, is_deadlocked);
		break;
	case NT_FINDING_POOL_STARVATION:
		mark_threads(process, nt_blame_rests);
		break;
	case NT_FINDING_LOCK_CONVOY:
		mark_threads(process, waits_for_lock);
		mark_lock(process, id);
		break;
	case NT_FINDING_LOH_CHURN:
		mark_allocation(process, nt_blame_large(process));
		break;
	case NT_FINDING_GC_STORM:
		mark_generation(process, id);
		break;
	case NT_FINDING_JIT_STORM:
		mark_jit(process, id);
		break;
	case NT_FINDING_EXCEPTION_FLOOD:
		mark_exception(process);
		break;
	case NT_FINDING_HEAP_GROWTH:
	case NT_FINDING_ALLOC_BURST:
		mark_allocation(process, nt_blame_allocation(process));
		break;
	case NT_FINDING_SPINNING_THREAD:
		mark_method(process, id);
		mark_thread(process, state->thread_id);
		break;
	case NT_FINDING_BLOCKED_THREAD:
		mark_thread(process, state->thread_id);
		break;
	case NT_FINDING_FINALIZERS:
		mark_thread(process, id);
		break;
	default:
		break;
	}
}
