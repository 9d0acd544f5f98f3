// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_watch.h"

#include "base/alloc.h"
#include "decode/codemap/map_name.h"
#include "source/common/bpf_refused.h"
#include "source/common/bpf_ring.h"
#include "source/common/inner_tids.h"
#include "source/perf/perf_duty.h"
#include "source/perf/switch_maps.h"
#include "source/perf/switch_price.h"
#include "source/perf/switch_program.h"
#include "source/perf/switch_rules.h"
#include "source/perf/switch_stacks.h"
#include "source/perf/switch_times.h"
#include "source/perf/switches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = offsetof(struct nt_switch_record, stack), PRICE_MS = 1000, MOST_TIMES = 2 };

/* Paid in a second: below, it is no matter, however little of a CPU the process uses, as it does while its threads wait. 1 % of a CPU. */
#define NO_MATTER_NS (10 * NT_NS_PER_MS)

struct nt_switch_watch {
	struct nt_switch_programs programs;
	const struct nt_target *target;  /* borrowed */
	struct nt_inner_tids *tids;      /* owned */
	struct nt_switch_rules *rules;   /* owned */
	struct nt_switch_stacks *stacks; /* owned */
	struct nt_switch_maps *maps;     /* owned; NULL = others tell of mappings */
	struct nt_switch_times *times;   /* owned; in place of all that is above and of the ring: then none of it is there. NULL = not */
	struct nt_bpf_ring ring;
	size_t page;
	uint64_t *lost; /* owned mapping of a page */
	uint64_t lost_before;
	/* What it costs: */
	struct nt_switches sums;
	struct nt_perf_duty duty;
	struct nt_switch_price price; /* without `times` */
	nt_time next_price;
};

static bool map_all(struct nt_switch_watch *watch)
{
	void *lost = mmap(NULL, watch->page, PROT_READ, MAP_SHARED, watch->programs.count, 0);
	watch->lost = lost == MAP_FAILED ? NULL : lost;
	return watch->lost && nt_bpf_ring_map(&watch->ring, watch->programs.ring, NT_SWITCH_RING_BYTES);
}

static const char only[] = "waits are exact only with";

enum nt_status nt_switch_watch_new(const struct nt_target *target, const struct nt_source_config *config, unsigned max_cost_pct, bool alone,
				   struct nt_switch_watch **out, struct nt_error *err)
{
	struct nt_perf_filter process;
	if (!nt_perf_filter_of(target->proc_dir, target->ns_pid, &process))
		return nt_bpf_refused(errno, only, "CAP_SYS_PTRACE, to see which pid namespace the process is in",
				      "it cannot be seen which pid namespace the process is in", err);
	struct nt_switch_watch *watch = nt_alloc(sizeof(*watch));
	watch->target = target;
	watch->page = (size_t)sysconf(_SC_PAGESIZE);
	int error = nt_switch_programs_load(&process, &watch->programs);
	if (!error && !map_all(watch))
		error = errno;
	if (error) {
		nt_switch_watch_free(watch);
		return nt_bpf_refused(error, only, "CAP_BPF and CAP_PERFMON", "this kernel does not tell nettop of context switches", err);
	}
	uint64_t own = nt_inner_tids_namespace("/proc/self");
	watch->tids = nt_inner_tids_new(target->proc_dir, own && own == process.inode);
	watch->stacks = nt_switch_stacks_new();
	watch->maps = alone ? nt_switch_maps_new(target->pid) : NULL;
	/* Rules of code that may have gone tell of callers that there are not: better none, and stacks as frame pointers cut them. */
	if (watch->maps || !alone)
		watch->rules = nt_switch_rules_new(target, config, watch->programs.rules);
	nt_perf_duty_init(&watch->duty, NT_PRICE_SWITCH_TOLD, max_cost_pct);
	nt_switch_price_init(&watch->price, watch->programs.switched, watch->programs.woken);
	*out = watch;
	return NT_OK;
}

enum nt_status nt_switch_watch_new_timed(const struct nt_target *target, unsigned max_cost_pct, struct nt_switch_watch **out)
{
	struct nt_switch_times *times;
	if (nt_switch_times_new(target->pid, &times) != 0)
		return NT_ERR_FORBIDDEN;
	struct nt_switch_watch *watch = nt_alloc(sizeof(*watch));
	watch->target = target;
	watch->times = times;
	nt_perf_duty_init(&watch->duty, NT_PRICE_CPU_SWITCH_RECORD, max_cost_pct);
	*out = watch;
	return NT_OK;
}

struct nt_switch_watch *nt_switch_watch_new_of_tasks(const struct nt_target *target, struct nt_perf_attach *attach, unsigned max_cost_pct,
						     double share)
{
	struct nt_switch_watch *watch = nt_alloc(sizeof(*watch));
	watch->target = target;
	watch->times = nt_switch_times_new_of_tasks(target->pid, attach);
	nt_perf_duty_init(&watch->duty, NT_PRICE_SWITCH_RECORD, max_cost_pct);
	watch->duty.share = share;
	return watch;
}

enum nt_status nt_switch_watch_whole(const struct nt_switch_watch *watch)
{
	return watch->times ? nt_switch_times_whole(watch->times) : NT_OK;
}

bool nt_switch_watch_is_timed(const struct nt_switch_watch *watch)
{
	return watch->times != NULL;
}

void nt_switch_watch_free(struct nt_switch_watch *watch)
{
	if (!watch)
		return;
	nt_switch_rules_free(watch->rules);
	nt_switch_stacks_free(watch->stacks);
	nt_switch_maps_free(watch->maps);
	if (!watch->times) {
		nt_switch_price_fini(&watch->price);
		nt_switch_programs_free(&watch->programs);
	}
	nt_switch_times_free(watch->times);
	nt_bpf_ring_fini(&watch->ring);
	if (watch->lost)
		munmap(watch->lost, watch->page);
	nt_inner_tids_free(watch->tids);
	nt_switches_fini(&watch->sums);
	free(watch);
}

/* What the ring tells is put there. */
struct putting {
	struct nt_switch_watch *watch;
	struct nt_perf_queue *queue;
};

static void put(void *context, const uint8_t *data, uint32_t length)
{
	const struct putting *to = context;
	uint64_t time;
	uint32_t what;
	if (length < HEAD || length > sizeof(struct nt_switch_record))
		return;
	memcpy(&time, data, sizeof(time));
	memcpy(&what, data + offsetof(struct nt_switch_record, what), sizeof(what));
	if (what == NT_SWITCH_OFF || what == NT_SWITCH_OFF_AGAIN)
		nt_switch_price_left(&to->watch->price, time);
	nt_perf_queue_put(to->queue, time, NT_SWITCH_LIST, data, length);
}

static void mapped(void *context, nt_time time, uint64_t start, uint64_t end, bool generated)
{
	struct nt_switch_watch *watch = context;
	nt_switch_rules_mapped(watch->rules, time, start, end, generated);
}

uint64_t nt_switch_watch_read(struct nt_switch_watch *watch, struct nt_perf_queue *queue)
{
	if (watch->times)
		return nt_switch_times_read(watch->times, queue, NT_SWITCH_LIST);
	uint64_t count = __atomic_load_n(watch->lost, __ATOMIC_RELAXED), missing = count - watch->lost_before;
	watch->lost_before = count;
	if (missing)
		nt_switch_price_missed(&watch->price);
	nt_bpf_ring_read(&watch->ring, missing ? NULL : put, &(struct putting){ watch, queue });
	if (missing) /* after them: all that was left out is older than this; what waits in the queue is, too */
		nt_switch_stacks_forget(watch->stacks, nt_clock_now());
	/* After them: what was mapped before the newest is known then. */
	if (watch->maps)
		nt_switch_maps_read(watch->maps, mapped, watch);
	return missing;
}

/* The stack with which it leaves, or has left a moment ago. None is told of by the events of threads (`times`). */
static nt_stack stack_of(struct nt_switch_watch *watch, struct nt_outbox *box, const struct nt_switch_record *record, unsigned count)
{
	struct nt_batch *batch = nt_outbox_batch(box);
	if (record->what == NT_SWITCH_OFF_AGAIN)
		return nt_switch_stacks_of(watch->stacks, record->tid, batch->epoch);
	nt_stack stack = count ? nt_interner_stack(box->interner, batch, record->stack, 0, count) : 0;
	if (watch->stacks)
		nt_switch_stacks_set(watch->stacks, record->tid, record->time, batch->epoch, stack);
	return stack;
}

static void tell_off(struct nt_switch_watch *watch, struct nt_outbox *box, uint32_t pid, uint32_t tid,
		     const struct nt_switch_record *record, unsigned count)
{
	nt_stack stack = stack_of(watch, box, record, count);
	/* Frame pointers: whose caller is not there is not to be seen. */
	nt_outbox_add(box, NT_EV_SWITCH, record->time, pid, tid)->u.switched =
		(struct nt_ev_switch){ .preempted = record->preempted != 0, .stack = stack, .partial = 1 };
}

static void tell_wake(struct nt_switch_watch *watch, struct nt_outbox *box, uint32_t pid, uint32_t tid,
		      const struct nt_switch_record *record, unsigned count)
{
	nt_stack stack = count ? nt_interner_stack(box->interner, nt_outbox_batch(box), record->stack, 0, count) : 0;
	bool interrupt = record->waker == NT_SWITCH_BY_INTERRUPT;
	uint32_t waker_tid = interrupt || !record->waker ? 0 : nt_inner_tids_outer(watch->tids, record->waker, record->time);
	nt_outbox_add(box, NT_EV_WAKE, record->time, pid, tid)->u.wake =
		(struct nt_ev_wake){ .waker_tid = waker_tid, .interrupt = interrupt, .stack = stack };
}

void nt_switch_watch_tell(struct nt_switch_watch *watch, struct nt_outbox *box, uint32_t pid, const uint8_t *bytes, size_t length)
{
	struct nt_switch_record record; /* as much of its stack as there is */
	nt_assert(length >= HEAD && length <= sizeof(record));
	memcpy(&record, bytes, length);
	uint32_t tid = watch->times ? record.tid : nt_inner_tids_outer(watch->tids, record.tid, record.time);
	unsigned count = (unsigned)(length - HEAD) / 8;
	if (count)
		count = nt_switch_rules_see(watch->rules, record.time, record.stack, count);
	if (record.what == NT_SWITCH_OFF || (record.what == NT_SWITCH_OFF_AGAIN && watch->stacks))
		tell_off(watch, box, pid, tid, &record, count);
	else if (record.what == NT_SWITCH_ON)
		nt_outbox_add(box, NT_EV_SWITCH, record.time, pid, tid)->u.switched = (struct nt_ev_switch){ .on = 1 };
	else if (record.what == NT_SWITCH_WAKE)
		tell_wake(watch, box, pid, tid, &record, count);
}

/* What is measured counts up to so many times the table's price: beyond, it is the others' switches that are counted. */
static void measure_price(struct nt_switch_watch *watch, nt_time now)
{
	uint64_t ns = nt_switch_price_take(&watch->price, nt_price_of(NT_PRICE_SWITCH_TOLD, MOST_TIMES));
	if (ns)
		watch->duty.price_ns = ns;
	nt_switch_price_begin(&watch->price, now);
}

bool nt_switch_watch_is_too_dear(struct nt_switch_watch *watch, nt_time now, struct nt_probe *out)
{
	if (!watch->times)
		nt_switch_price_turn(&watch->price, now);
	if (now < watch->next_price)
		return false;
	watch->next_price = now + PRICE_MS * NT_NS_PER_MS;
	if (!watch->times)
		measure_price(watch, now);
	if (!nt_switches_read(&watch->sums, watch->target->proc_dir))
		return false;
	nt_perf_duty_look(&watch->duty, watch->sums.cpu_ns, watch->sums.count, now);
	if (!nt_perf_duty_is_too_dear(&watch->duty) || watch->duty.last_ns < NO_MATTER_NS) {
		watch->duty.parts = 1;
		return false;
	}
	char what[160];
	snprintf(what, sizeof(what),
		 "waits are no longer %s: threads are switched so often that to be told of each would cost the process%s",
		 watch->times ? "timed" : "exact", watch->duty.share < 1 ? ", beside its samples," : "");
	nt_perf_duty_say_dear(&watch->duty, what, out);
	return true;
}

uint64_t nt_switch_watch_paid_ns(const struct nt_switch_watch *watch)
{
	return watch ? watch->duty.paid_ns : 0;
}

void nt_switch_watch_mapped(struct nt_switch_watch *watch, const struct nt_perf_record *record)
{
	struct nt_map_name name = nt_map_name_read(record->map.name, record->map.name_length);
	nt_switch_rules_mapped(watch->rules, record->time, record->map.start, record->map.start + record->map.length,
			       name.flags & NT_MAP_JIT);
}

void nt_switch_watch_cost(const struct nt_switch_watch *watch, struct nt_source_stats *out)
{
	if (watch)
		nt_switch_rules_cost(watch->rules, out);
}
