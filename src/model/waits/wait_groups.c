// SPDX-License-Identifier: GPL-2.0-only
#include "model/waits/wait_groups.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_wait_groups_init(struct nt_wait_groups *groups)
{
	*groups = (struct nt_wait_groups){ 0 };
	nt_wait_sums_init(&groups->reasons, NT_WAIT_COUNT + 1, true);
	nt_wait_sums_init(&groups->threads, NT_WAIT_THREADS_SUMMED, false);
}

void nt_wait_groups_fini(struct nt_wait_groups *groups)
{
	nt_wait_sums_fini(&groups->reasons);
	nt_wait_sums_fini(&groups->threads);
}

void nt_wait_groups_begin(struct nt_wait_groups *groups)
{
	nt_wait_sums_begin(&groups->reasons);
	nt_wait_sums_begin(&groups->threads);
}

/* After it was woken it waits for a CPU, as one does that was preempted. */
static void count_run_queue(struct nt_wait_groups *groups, const struct nt_wait_piece *piece)
{
	if (!piece->runq_ns)
		return;
	const struct nt_wait_part part = {
		.tid = piece->tid, .wait_ns = piece->runq_ns, .longest_ns = piece->runq_ns, .counts = piece->ended
	};
	nt_wait_sums_add(&groups->reasons, NT_WAIT_CPU, &part);
}

void nt_wait_groups_count(struct nt_wait_groups *groups, enum nt_wait_kind kind, const struct nt_wait_piece *piece)
{
	struct nt_wait_part part = {
		.tid = piece->tid,
		.wait_ns = piece->spent_ns,
		.longest_ns = piece->wait_ns,
		.counts = piece->ended,
		.waits = !piece->ended,
		.polled = piece->polled,
		.timed = piece->timed,
	};
	nt_wait_sums_add(&groups->reasons, kind, &part);
	count_run_queue(groups, piece);
	part.runq_ns = piece->runq_ns;
	if (kind == NT_WAIT_IDLE) {
		part.idle_ns = piece->spent_ns;
		part.wait_ns = part.longest_ns = 0;
		part.counts = part.waits = false;
	} else if (kind == NT_WAIT_CPU) {
		part.runq_ns += piece->spent_ns;
		part.wait_ns = part.longest_ns = 0;
		part.counts = false;
	}
	nt_wait_sums_add(&groups->threads, piece->tid, &part);
}

void nt_wait_groups_thread_ended(struct nt_wait_groups *groups, uint32_t tid)
{
	nt_wait_sums_end(&groups->threads, tid);
}

/* ---- the snapshot ---- */

static struct nt_wait_time time_of(const struct nt_wait_amount *amount, double window_s)
{
	return (struct nt_wait_time){ .ns = amount->interval_ns,
				      .all_ns = amount->all_ns,
				      .window = window_s > 0 ? amount->window_ns / window_s : 0 };
}

static struct nt_wait_sum_row row_of(const struct nt_wait_sum *sum, double window_s)
{
	struct nt_wait_sum_row row = {
		.id = sum->key,
		.wait = time_of(&sum->wait, window_s),
		.runq = time_of(&sum->runq, window_s),
		.idle = time_of(&sum->idle, window_s),
		.count = sum->interval_count,
		.count_all = sum->count,
		.window_per_s = window_s > 0 ? sum->window_count / window_s : 0,
		.max_ns = { .known = sum->max_ns != 0, .v = sum->max_ns },
		.waiting_count = sum->waiting_count,
		.polled = sum->polled,
		.timed = sum->timed,
		.ended = sum->ended || sum->ending,
		.fresh = !sum->shown,
	};
	if (sum->waits && !sum->polled) {
		row.p50_ns = nt_histogram_percentile(sum->waits, 500);
		row.p99_ns = nt_histogram_percentile(sum->waits, 990);
	}
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_wait_sum_row *x = a, *y = b;
	if (x->wait.all_ns != y->wait.all_ns)
		return x->wait.all_ns > y->wait.all_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static struct nt_wait_sum_row *make_rows(const struct nt_wait_sums *sums, double window_s)
{
	struct nt_wait_sum_row *rows = nt_realloc(NULL, sums->count, sizeof(*rows));
	for (size_t i = 0; i < sums->count; i++)
		rows[i] = row_of(&sums->items[i], window_s);
	return rows;
}

/* The place where most of the last time was waited for this; for a CPU, after that for something else. */
static const char *most_at(enum nt_wait_kind kind, const struct nt_process_snapshot *process)
{
	const char *site = NULL;
	double most = 0;
	for (size_t i = 0; i < process->wait_count; i++) {
		const struct nt_wait_row *row = &process->waits[i];
		double spent = (row->kind == kind ? row->window_spent : 0) + (kind == NT_WAIT_CPU ? row->window_runq : 0);
		if (spent <= most)
			continue;
		most = spent;
		site = row->site;
	}
	return site;
}

static void fill_reasons(struct nt_wait_groups *groups, double window_s, struct nt_process_snapshot *process)
{
	struct nt_wait_sums *sums = &groups->reasons;
	process->wait_reasons = make_rows(sums, window_s);
	process->wait_reason_count = sums->count;
	for (size_t i = 0; i < sums->count; i++) {
		struct nt_wait_sum_row *row = &process->wait_reasons[i];
		row->kind = (enum nt_wait_kind)row->id;
		row->site = most_at(row->kind, process);
		row->longest_tid = sums->items[i].longest.tid;
		row->quiet = row->kind == NT_WAIT_IDLE;
		row->id++; /* 0 is no row's */
	}
	qsort(process->wait_reasons, process->wait_reason_count, sizeof(*process->wait_reasons), compare_rows);
}

static void fill_thread(struct nt_wait_sum *sum, struct nt_wait_sum_row *row, const struct nt_index *by_tid,
			const struct nt_process_snapshot *process)
{
	static const char others[] = "(other threads)";
	row->kind = NT_WAIT_RUNS;
	row->quiet = !row->wait.all_ns && !row->runq.all_ns && !row->waiting_count;
	if (row->id == NT_WAIT_SUM_OTHER) {
		row->name = others;
		return;
	}
	row->tid = sum->key;
	row->name = sum->name;
	uint32_t place = nt_index_get(by_tid, row->tid);
	if (place == NT_INDEX_NONE)
		return;
	const struct nt_thread_row *thread = &process->threads[place];
	if (row->ended != thread->ended)
		return;
	row->name = sum->name = thread->name;
	row->cpu_pct = thread->cpu_pct;
	if (!thread->waits)
		return;
	row->kind = thread->wait;
	row->site = thread->wait_at;
}

static void fill_threads(struct nt_wait_groups *groups, double window_s, struct nt_process_snapshot *process)
{
	struct nt_wait_sums *sums = &groups->threads;
	struct nt_index by_tid = { 0 };
	/* A number that is used again is that of the living thread. */
	for (size_t i = 0; i < process->thread_count; i++)
		if (!process->threads[i].ended || nt_index_get(&by_tid, process->threads[i].tid) == NT_INDEX_NONE)
			nt_index_put(&by_tid, process->threads[i].tid, (uint32_t)i);
	process->wait_threads = make_rows(sums, window_s);
	process->wait_thread_count = sums->count;
	for (size_t i = 0; i < sums->count; i++)
		fill_thread(&sums->items[i], &process->wait_threads[i], &by_tid, process);
	nt_index_fini(&by_tid);
	qsort(process->wait_threads, process->wait_thread_count, sizeof(*process->wait_threads), compare_rows);
}

void nt_wait_groups_each_text(const struct nt_wait_groups *groups, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < groups->threads.count; i++)
		visit(groups->threads.items[i].name, context);
}

void nt_wait_groups_close(struct nt_wait_groups *groups, const struct nt_span *span, nt_time covered_ns,
			  struct nt_process_snapshot *process)
{
	groups->window_ns = groups->window_ns * span->decay + (double)covered_ns;
	double window_s = groups->window_ns / (double)NT_NS_PER_S;
	nt_wait_sums_step(&groups->reasons, span);
	nt_wait_sums_step(&groups->threads, span);
	fill_reasons(groups, window_s, process);
	fill_threads(groups, window_s, process);
	nt_wait_sums_next(&groups->reasons);
	nt_wait_sums_next(&groups->threads);
}
