// SPDX-License-Identifier: GPL-2.0-only
#include "model/whole/wall.h"

#include "base/alloc.h"
#include "base/index.h"

#include <stdlib.h>

void nt_wall_fini(struct nt_wall *wall)
{
	free(wall->ran);
	*wall = (struct nt_wall){ 0 };
}

static double per_sample(uint64_t ns, uint64_t samples)
{
	return samples ? (double)ns / (double)samples : 0;
}

void nt_wall_take_samples(struct nt_wall *wall, struct nt_cpu *cpu, const struct nt_span *span, nt_time covered_ns)
{
	free(wall->ran);
	wall->ran = nt_run_sites(cpu, &wall->ran_count);
	cpu->weight_all_ns += cpu->weight_ns;
	wall->interval_ns = per_sample(cpu->weight_ns, cpu->rows.interval_samples);
	wall->all_ns = per_sample(cpu->weight_all_ns, cpu->rows.samples_all);
	wall->window_ns = wall->window_ns * span->decay + (double)covered_ns;
	cpu->weight_ns = 0;
}

/* ---- rows by their site ---- */

struct joining {
	struct nt_wall_row *rows; /* the snapshot's */
	size_t count, capacity;
	struct nt_index by_id;
	double *most; /* owned; by row: the longest time waited there for one thing */
	size_t most_capacity;
};

/* FNV-1a: the same in each run, as ties are broken by it. */
static uint64_t hash_on(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return (hash ^ 0xff) * 0x100000001b3;
}

/* By the words, not by where they lie: a row keeps its id when its texts have been forgotten and come again. */
static uint64_t id_of(const char *site, const char *module, bool idle)
{
	return hash_on(hash_on(0xcbf29ce484222325 ^ idle, site), module);
}

static struct nt_wall_row *row_of(struct joining *joining, const char *site, const char *module, bool idle)
{
	uint64_t id = id_of(site, module, idle);
	uint32_t place = nt_index_get(&joining->by_id, id);
	if (place != NT_INDEX_NONE)
		return &joining->rows[place];
	joining->rows = nt_grow(joining->rows, &joining->capacity, joining->count + 1, sizeof(*joining->rows));
	joining->most = nt_grow(joining->most, &joining->most_capacity, joining->count + 1, sizeof(*joining->most));
	joining->most[joining->count] = 0;
	nt_index_put(&joining->by_id, id, (uint32_t)joining->count);
	struct nt_wall_row *row = &joining->rows[joining->count++];
	*row = (struct nt_wall_row){ .id = id, .site = site, .module = module, .idle = idle, .kind = NT_WAIT_RUNS };
	return row;
}

static void add(struct nt_wait_time *to, uint64_t ns, uint64_t all_ns, double window)
{
	to->ns += ns;
	to->all_ns += all_ns;
	to->window += window;
}

static void add_runs(struct joining *joining, const struct nt_wall *wall)
{
	double window_s = wall->window_ns / (double)NT_NS_PER_S;
	for (size_t i = 0; i < wall->ran_count; i++) {
		const struct nt_run_site *ran = &wall->ran[i];
		add(&row_of(joining, ran->name, ran->module, false)->run, (uint64_t)((double)ran->interval * wall->interval_ns),
		    (uint64_t)((double)ran->all * wall->all_ns), window_s > 0 ? ran->window * wall->all_ns / window_s : 0);
	}
}

/* Who was preempted waits for a CPU, as one who has been woken. */
static void add_waits(struct joining *joining, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->wait_count; i++) {
		const struct nt_wait_row *waited = &process->waits[i];
		struct nt_wall_row *row = row_of(joining, waited->site, waited->module, waited->idle);
		double *most = &joining->most[row - joining->rows];
		bool for_cpu = waited->kind == NT_WAIT_CPU;
		add(for_cpu ? &row->runq : &row->wait, waited->spent_ns, waited->spent_all_ns, waited->window_spent);
		add(&row->runq, waited->runq_ns, waited->runq_all_ns, waited->window_runq);
		row->polled |= waited->polled && waited->spent_all_ns;
		row->timed |= waited->timed && waited->spent_all_ns;
		if (waited->window_spent <= *most)
			continue;
		*most = waited->window_spent;
		row->kind = waited->kind;
	}
}

/* ---- the snapshot ---- */

static uint64_t all_of(const struct nt_wall_row *row)
{
	return row->run.all_ns + row->wait.all_ns + row->runq.all_ns;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_wall_row *x = a, *y = b;
	if (all_of(x) != all_of(y))
		return all_of(x) > all_of(y) ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void merge(struct nt_wait_time *into, const struct nt_wait_time *from)
{
	add(into, from->ns, from->all_ns, from->window);
}

/* Where least time went is one row, so that all rows together are all time. */
static void fold(struct joining *joining)
{
	static const char others[] = "(other methods)";
	if (joining->count <= NT_WALL_ROWS)
		return;
	struct nt_wall_row *other = &joining->rows[NT_WALL_ROWS - 1];
	for (size_t i = NT_WALL_ROWS; i < joining->count; i++) {
		merge(&other->run, &joining->rows[i].run);
		merge(&other->wait, &joining->rows[i].wait);
		merge(&other->runq, &joining->rows[i].runq);
		other->polled |= joining->rows[i].polled;
		other->timed |= joining->rows[i].timed;
	}
	other->id = id_of(others, NULL, false);
	other->site = others;
	other->module = NULL;
	other->kind = NT_WAIT_RUNS;
	other->idle = false;
	joining->count = NT_WALL_ROWS;
}

void nt_wall_close(struct nt_wall *wall, struct nt_process_snapshot *process)
{
	struct joining joining = { 0 };
	add_runs(&joining, wall);
	add_waits(&joining, process);
	if (joining.count)
		qsort(joining.rows, joining.count, sizeof(*joining.rows), compare_rows);
	fold(&joining);
	process->wall = joining.rows;
	process->wall_count = joining.count;
	nt_index_fini(&joining.by_id);
	free(joining.most);
	free(wall->ran);
	wall->ran = NULL;
	wall->ran_count = 0;
}
