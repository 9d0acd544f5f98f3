// SPDX-License-Identifier: GPL-2.0-only
#include "source/calls/calls_watch.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "source/calls/calls_looks.h"
#include "source/calls/calls_names.h"
#include "source/calls/calls_program.h"
#include "source/common/bpf_call.h"
#include "source/common/bpf_refused.h"
#include "source/common/price.h"
#include "source/perf/perf_duty.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	IDLE_FACTOR = 200,
	PIECE = 512,
	DEFERRED_MOST = 3, /* turns that a socket's name is waited for */
	CROWDED = NT_CALLS_SUMS / 4 * 3,
};

/* Paid in a second: below, it is no matter, however little of a CPU the process uses. 1 % of a CPU. */
#define NO_MATTER_NS (10 * NT_NS_PER_MS)
enum { NO_LIMIT_PCT = 100 }; /* of --max-target-cost */

static const char closed[] = "(closed before it was looked at)";

/* A sum as it was told. */
struct told {
	struct nt_calls_key key;
	struct nt_calls_sum sum;
	uint64_t grew;     /* the turn in which it has grown last */
	unsigned deferred; /* turns since it grew without being told */
	uint32_t look;     /* the first of this turn's looks at its calls; NT_INDEX_NONE = none */
	bool gone;         /* it is in the map no more */
};

/* One that has grown. */
struct grown {
	uint32_t at;
	struct nt_calls_sum sum;
};

struct nt_calls_watch {
	struct nt_calls_programs programs;
	const struct nt_target *target; /* borrowed */
	struct nt_calls_names names;
	struct nt_calls_looks looks;
	struct nt_calls_shared *shared; /* owned mapping, here and below */
	struct nt_calls_place *fds;
	struct nt_calls_seen *seen;
	struct told *told; /* owned */
	size_t told_count, told_capacity;
	struct nt_index by_key;
	struct grown *grown; /* owned; of a turn */
	size_t grown_count, grown_capacity;
	uint64_t turn, unnamed;
	nt_time read, next, priced;
	uint64_t lost, no_room; /* as last told */
	/* What it costs: */
	unsigned max_cost_pct;
	uint64_t counted, counted_before, looked, looked_before, seen_before, cpu_before;
	uint64_t paid_ns;
	double dear_pct; /* of the target's CPU time, between the last two looks; 0 = no more than it may */
};

static void *map(int fd, size_t bytes, int rights)
{
	void *at = mmap(NULL, bytes, rights, MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

static bool map_all(struct nt_calls_watch *watch)
{
	watch->shared = map(watch->programs.shared, sizeof(*watch->shared), PROT_READ | PROT_WRITE);
	watch->fds = map(watch->programs.fds, NT_CALLS_FDS * sizeof(*watch->fds), PROT_READ);
	watch->seen = map(watch->programs.seen, NT_CALLS_CPUS * sizeof(*watch->seen), PROT_READ);
	return watch->shared && watch->fds && watch->seen;
}

static const char only[] = "calls are counted only with";

enum nt_status nt_calls_watch_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_calls_watch **out,
				  struct nt_error *err)
{
	struct nt_perf_filter process;
	if (!nt_perf_filter_of(target->proc_dir, target->ns_pid, &process))
		return nt_bpf_refused(errno, only, "CAP_SYS_PTRACE, to see which pid namespace the process is in",
				      "it cannot be seen which pid namespace the process is in", err);
	struct nt_calls_watch *watch = nt_alloc(sizeof(*watch));
	watch->target = target;
	watch->max_cost_pct = nt_perf_duty_limit_pct(config);
	watch->read = nt_clock_now();
	int error = nt_calls_programs_load(&process, &watch->programs);
	if (!error && (!map_all(watch) || !nt_calls_looks_init(&watch->looks, target, config, &watch->programs)))
		error = errno;
	if (error) {
		nt_calls_watch_free(watch);
		return nt_bpf_refused(error, only, "CAP_BPF and CAP_PERFMON", "this kernel does not let nettop count calls", err);
	}
	*out = watch;
	return NT_OK;
}

void nt_calls_watch_free(struct nt_calls_watch *watch)
{
	if (!watch)
		return;
	nt_calls_looks_fini(&watch->looks);
	nt_calls_programs_free(&watch->programs);
	nt_calls_names_fini(&watch->names);
	if (watch->shared)
		munmap(watch->shared, sizeof(*watch->shared));
	if (watch->fds)
		munmap(watch->fds, NT_CALLS_FDS * sizeof(*watch->fds));
	if (watch->seen)
		munmap(watch->seen, NT_CALLS_CPUS * sizeof(*watch->seen));
	free(watch->told);
	free(watch->grown);
	nt_index_fini(&watch->by_key);
	free(watch);
}

/* ---- the sums ---- */

static void note_grown(struct nt_calls_watch *watch, uint32_t at, const struct nt_calls_sum *sum)
{
	watch->grown = nt_grow(watch->grown, &watch->grown_capacity, watch->grown_count + 1, sizeof(*watch->grown));
	watch->grown[watch->grown_count++] = (struct grown){ .at = at, .sum = *sum };
}

static void take_sum(struct nt_calls_watch *watch, const struct nt_calls_key *key, const struct nt_calls_sum *sum)
{
	uint64_t hash = nt_hash_bytes(key, sizeof(*key));
	uint32_t at = nt_index_get(&watch->by_key, hash);
	if (at == NT_INDEX_NONE) {
		at = (uint32_t)watch->told_count;
		watch->told = nt_grow(watch->told, &watch->told_capacity, watch->told_count + 1, sizeof(*watch->told));
		watch->told[watch->told_count++] = (struct told){ .key = *key, .look = NT_INDEX_NONE };
		nt_index_put(&watch->by_key, hash, at);
	}
	if (sum->count == watch->told[at].sum.count)
		return;
	watch->told[at].grew = watch->turn;
	note_grown(watch, at, sum);
}

static void read_sums(struct nt_calls_watch *watch)
{
	struct nt_calls_key *keys = nt_realloc(NULL, PIECE, sizeof(*keys));
	struct nt_calls_sum *sums = nt_realloc(NULL, PIECE, sizeof(*sums));
	uint32_t from = 0, next = 0, all = 0;
	watch->grown_count = 0;
	for (bool first = true, more = true; more && all < 2 * NT_CALLS_SUMS; first = false, from = next) {
		union bpf_attr batch = { .batch = { .in_batch = first ? 0 : nt_bpf_pointer(&from),
						    .out_batch = nt_bpf_pointer(&next),
						    .keys = nt_bpf_pointer(keys),
						    .values = nt_bpf_pointer(sums),
						    .count = PIECE,
						    .map_fd = (uint32_t)watch->programs.sums } };
		more = nt_bpf_call(BPF_MAP_LOOKUP_BATCH, &batch) == 0;
		uint32_t count = more || errno == ENOENT ? batch.batch.count : 0; /* ENOENT: these are the last */
		for (uint32_t i = 0; i < count && i < PIECE; i++)
			take_sum(watch, &keys[i], &sums[i]);
		all += count;
	}
	free(keys);
	free(sums);
}

/* Its descriptor has been given away anew. */
static bool is_over(const struct nt_calls_watch *watch, const struct nt_calls_key *key)
{
	if (key->name || key->fd < 0 || key->fd >= NT_CALLS_FDS)
		return false;
	return __atomic_load_n(&watch->fds[key->fd].is.given, __ATOMIC_RELAXED) != key->given;
}

/* What was added since is told, too. A call that goes on makes a new sum. */
static void take_away(struct nt_calls_watch *watch, uint32_t at)
{
	struct told *told = &watch->told[at];
	struct nt_calls_sum now = told->sum;
	union bpf_attr key = { .map_fd = (uint32_t)watch->programs.sums, .key = nt_bpf_pointer(&told->key), .value = nt_bpf_pointer(&now) };
	if (nt_bpf_call(BPF_MAP_LOOKUP_AND_DELETE_ELEM, &key) < 0) /* Linux 5.14 */
		nt_bpf_call(BPF_MAP_DELETE_ELEM, &key);
	else if (now.count != told->sum.count)
		note_grown(watch, at, &now);
	told->gone = true;
}

/*
 * Room for others: what has not grown in this turn leaves the map, when that is crowded or nothing comes any more. A program that has found the sum and not yet added to it, which takes it some ns, loses
 * that: nobody has called there for a turn.
 */
static void make_room(struct nt_calls_watch *watch)
{
	bool crowded = watch->told_count > CROWDED;
	watch->grown_count = 0;
	for (size_t i = 0; i < watch->told_count; i++) {
		const struct told *told = &watch->told[i];
		bool stays = told->grew == watch->turn || (!told->key.name && told->key.fd < 0);
		if (!stays && (crowded || is_over(watch, &told->key)))
			take_away(watch, (uint32_t)i);
	}
}

static void drop_gone(struct nt_calls_watch *watch)
{
	size_t kept = 0;
	for (size_t i = 0; i < watch->told_count; i++) {
		uint64_t hash = nt_hash_bytes(&watch->told[i].key, sizeof(watch->told[i].key));
		if (watch->told[i].gone) {
			nt_index_remove(&watch->by_key, hash);
			continue;
		}
		if (kept != i)
			nt_index_put(&watch->by_key, hash, (uint32_t)kept);
		watch->told[kept++] = watch->told[i];
	}
	watch->told_count = kept;
}

/* ---- telling ---- */

/* Which sums the looks are of. */
static void find_looks(struct nt_calls_watch *watch)
{
	for (size_t i = 0; i < watch->told_count; i++)
		watch->told[i].look = NT_INDEX_NONE;
	for (size_t i = watch->looks.count; i-- > 0;) {
		struct nt_calls_looked *item = &watch->looks.items[i];
		uint32_t at = nt_index_get(&watch->by_key, nt_hash_bytes(&item->look.key, sizeof(item->look.key)));
		item->next = NT_INDEX_NONE;
		if (at == NT_INDEX_NONE)
			continue;
		item->next = watch->told[at].look;
		watch->told[at].look = (uint32_t)i;
	}
}

/* Where some of the sum's calls came from. */
static void tell_looks(struct nt_calls_watch *watch, struct told *told, uint32_t kind, const char *text, struct nt_outbox *box)
{
	for (uint32_t i = told->look; i != NT_INDEX_NONE; i = watch->looks.items[i].next) {
		struct nt_calls_looked *item = &watch->looks.items[i];
		struct nt_event *event = nt_outbox_add(box, NT_EV_CALLER, item->look.time, watch->target->pid, 0);
		event->u.caller = (struct nt_ev_caller){
			.what = nt_outbox_str(box, text), .kind = kind, .call = told->key.call, .weight = (uint32_t)item->look.weight
		};
		if (item->count)
			event->stack = nt_interner_stack(box->interner, nt_outbox_batch(box), item->look.stack, 0, item->count);
		item->told = true;
		watch->looked++;
	}
	told->look = NT_INDEX_NONE;
}

static uint32_t bucket_of(const struct told *told, const struct nt_calls_sum *now, unsigned bucket)
{
	return now->buckets[bucket] - told->sum.buckets[bucket];
}

/* The event that goes on from this bucket. Returns the next one that is not told. */
static unsigned fill_buckets(const struct told *told, const struct nt_calls_sum *now, unsigned bucket, struct nt_ev_calls *out)
{
	while (bucket < NT_IO_LATENCY_BUCKETS && !bucket_of(told, now, bucket))
		bucket++;
	out->first = bucket < NT_IO_LATENCY_BUCKETS ? bucket : 0;
	for (unsigned i = 0; i < NT_IO_LATENCY_TOLD && bucket < NT_IO_LATENCY_BUCKETS; i++)
		out->buckets[i] = bucket_of(told, now, bucket++);
	while (bucket < NT_IO_LATENCY_BUCKETS && !bucket_of(told, now, bucket))
		bucket++;
	return bucket;
}

static void tell_sum(struct nt_calls_watch *watch, const struct grown *grown, bool last, nt_time now, struct nt_outbox *box)
{
	struct told *told = &watch->told[grown->at];
	char text[NT_CALLS_NAME];
	uint32_t kind = NT_IO_OTHER;
	bool settled, known = nt_calls_names_find(&watch->names, &told->key, &kind, text, &settled);
	uint64_t count = grown->sum.count - told->sum.count;
	if (known && kind == NT_IO_SOCKET && !*text && !last && told->deferred < DEFERRED_MOST && !told->gone) {
		told->deferred++;
		return;
	}
	told->deferred = 0;
	watch->unnamed += known ? 0 : count;
	struct nt_ev_calls said = { .kind = known ? kind : NT_IO_OTHER,
				    .call = told->key.call,
				    .count = count,
				    .bytes = grown->sum.bytes - told->sum.bytes,
				    .ns = grown->sum.ns - told->sum.ns,
				    .error_count = (uint32_t)(grown->sum.errors - told->sum.errors),
				    .again_count = (uint32_t)(grown->sum.again - told->sum.again) };
	for (unsigned bucket = 0; bucket < NT_IO_LATENCY_BUCKETS;) {
		struct nt_event *event = nt_outbox_add(box, NT_EV_CALLS, now, watch->target->pid, 0);
		said.what = nt_outbox_str(box, known ? text : closed);
		bucket = fill_buckets(told, &grown->sum, bucket, &said);
		event->u.calls = said;
		said = (struct nt_ev_calls){ .kind = said.kind, .call = said.call };
	}
	tell_looks(watch, told, said.kind, known ? text : closed, box);
	told->sum = grown->sum;
	watch->counted += count;
}

static void tell_grown(struct nt_calls_watch *watch, bool last, nt_time now, struct nt_outbox *box)
{
	for (size_t i = 0; i < watch->grown_count; i++)
		nt_calls_names_prepare(&watch->names, &watch->told[watch->grown[i].at].key);
	nt_calls_names_prepared(&watch->names);
	for (size_t i = 0; i < watch->grown_count; i++)
		tell_sum(watch, &watch->grown[i], last, now, box);
}

static void tell_end(struct nt_calls_watch *watch, nt_time now, struct nt_outbox *box)
{
	uint64_t lost = __atomic_load_n(&watch->shared->lost, __ATOMIC_RELAXED);
	nt_outbox_add(box, NT_EV_CALLS_TOLD, now, watch->target->pid, 0)->u.calls_told = (struct nt_ev_calls_told){
		.from = watch->read, .unnamed_count = watch->unnamed, .lost_count = lost - watch->lost, .told = 1
	};
	watch->lost = lost;
	watch->unnamed = 0;
	watch->read = now;
}

static void look_at_price(struct nt_calls_watch *watch, uint64_t cpu_ns, nt_time now)
{
	if (cpu_ns == watch->cpu_before)
		return; /* it was not read anew */
	uint64_t seen = 0;
	for (size_t i = 0; i < NT_CALLS_CPUS; i++)
		seen += __atomic_load_n(&watch->seen[i].count, __ATOMIC_RELAXED);
	uint64_t paid = nt_price_of(NT_PRICE_CALL, watch->counted - watch->counted_before) +
			nt_price_of(NT_PRICE_CALL_LOOK, watch->looked - watch->looked_before) +
			nt_price_of(NT_PRICE_CALL_SEEN, seen - watch->seen_before);
	uint64_t used = cpu_ns - watch->cpu_before;
	double seconds = (double)(now - watch->priced) / (double)NT_NS_PER_S;
	bool first = !watch->cpu_before;
	watch->priced = now;
	watch->counted_before = watch->counted;
	watch->looked_before = watch->looked;
	watch->seen_before = seen;
	watch->cpu_before = cpu_ns;
	watch->paid_ns += paid;
	/* What was paid is in the CPU time that was used. */
	double part = (double)paid / (double)(used > 2 * paid ? used - paid : used / 2 + 1);
	/* Sums and CPU time are not read at one moment, so a part may be more than all. */
	bool limited = watch->max_cost_pct < NO_LIMIT_PCT;
	watch->dear_pct = limited && !first && (double)paid >= NO_MATTER_NS * seconds && 100 * part > watch->max_cost_pct ? 100 * part : 0;
}

void nt_calls_watch_tell(struct nt_calls_watch *watch, int dir_fd, uint64_t cpu_ns, bool last, struct nt_outbox *box)
{
	nt_time now = nt_clock_now();
	if (!last && now < watch->next)
		return;
	uint64_t used_ns = nt_clock_thread_cpu();
	watch->turn++;
	/* First: what was looked at is in its sum then. */
	nt_calls_looks_read(&watch->looks);
	__atomic_store_n(&watch->shared->looks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&watch->shared->turn, watch->turn, __ATOMIC_RELAXED);
	read_sums(watch);
	find_looks(watch);
	nt_calls_names_begin(&watch->names, &watch->programs, watch->shared, watch->fds, dir_fd);
	tell_grown(watch, last, now, box);
	make_room(watch);
	tell_grown(watch, true, now, box);
	drop_gone(watch);
	nt_calls_looks_end(&watch->looks);
	nt_calls_names_end(&watch->names);
	tell_end(watch, now, box);
	uint64_t no_room = __atomic_load_n(&watch->shared->no_room, __ATOMIC_RELAXED);
	if (no_room != watch->no_room)
		nt_calls_programs_make_room(&watch->programs);
	watch->no_room = no_room;
	look_at_price(watch, cpu_ns, now);
	watch->next = nt_clock_now() + (nt_clock_thread_cpu() - used_ns) * IDLE_FACTOR;
}

bool nt_calls_watch_is_too_dear(const struct nt_calls_watch *watch, struct nt_probe *out)
{
	if (watch->dear_pct <= 0)
		return false;
	snprintf(out->reason, sizeof(out->reason),
		 "calls are no longer counted: there are so many that to count them costs the process ~%.0f %% of its CPU time",
		 watch->dear_pct);
	double enough = watch->dear_pct + 1 < NO_LIMIT_PCT ? watch->dear_pct + 1 : NO_LIMIT_PCT;
	snprintf(out->fix, sizeof(out->fix), "start nettop with --max-target-cost %.0f", enough);
	return true;
}

uint64_t nt_calls_watch_paid_ns(const struct nt_calls_watch *watch)
{
	return watch ? watch->paid_ns : 0;
}

void nt_calls_watch_cost(const struct nt_calls_watch *watch, struct nt_source_stats *out)
{
	if (watch)
		nt_calls_looks_cost(&watch->looks, out);
}
