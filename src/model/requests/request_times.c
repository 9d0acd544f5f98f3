// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/request_times.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* What was told of a time has come by then: the runtime writes its streams ten times a second. */
static const nt_time settle_ns = 500 * NT_NS_PER_MS;

static void forget_turns(struct nt_request_times *times)
{
	nt_index_fini(&times->by_thread);
	times->open_count = times->turn_count = 0;
}

static void forget_activities(struct nt_request_times *times)
{
	nt_index_fini(&times->by_activity);
	times->activity_count = 0;
}

/* Nobody looks any more: the rows stay. */
static void forget_all(struct nt_request_times *times)
{
	forget_turns(times);
	forget_activities(times);
	free(times->activities);
	free(times->turns);
	free(times->open);
	free(times->samples);
	times->activities = NULL;
	times->turns = times->open = NULL;
	times->samples = NULL;
	times->sample_count = times->activity_capacity = times->turn_capacity = times->open_capacity = times->sample_capacity = 0;
	nt_request_pauses_fini(&times->pauses);
}

void nt_request_times_fini(struct nt_request_times *times)
{
	forget_all(times);
	nt_index_fini(&times->by_route);
	free(times->rows);
	free(times->leads);
	*times = (struct nt_request_times){ 0 };
}

/* Since when both are told; 0 = they are not. */
static nt_time told_since(const struct nt_request_times *times)
{
	nt_time requests = times->told[NT_TIMES_OF_REQUESTS], activities = times->told[NT_TIMES_OF_ACTIVITIES];
	return !requests || !activities ? 0 : requests > activities ? requests : activities;
}

void nt_request_times_lost(struct nt_request_times *times, nt_time until)
{
	forget_turns(times);
	if (until > times->lost_until)
		times->lost_until = until;
}

/* ---- routes ---- */

static struct nt_request_time_row *row_of(struct nt_request_times *times, const char *method, const char *route)
{
	const char *const names[] = { method, route };
	uint64_t id = nt_hash_bytes(names, sizeof(names)); /* texts of the table: equal ones are one */
	uint32_t index = nt_index_get(&times->by_route, id);
	if (index != NT_INDEX_NONE)
		return &times->rows[index];
	if (times->count >= NT_REQUEST_TIME_ROWS - 1 && (method || route))
		return row_of(times, NULL, NULL);
	nt_index_put(&times->by_route, id, (uint32_t)times->count);
	size_t room = times->capacity;
	times->rows = nt_grow(times->rows, &times->capacity, times->count + 1, sizeof(*times->rows));
	if (times->capacity != room)
		times->leads = nt_realloc(times->leads, times->capacity, sizeof(*times->leads));
	times->leads[times->count] = 0;
	times->rows[times->count] = (struct nt_request_time_row){ .id = times->count + 1, .method = method, .route = route };
	return &times->rows[times->count++];
}

/* ---- activities ---- */

/* 0 = none. */
static uint64_t activity_of(const struct nt_ev_activity *told)
{
	if (!told->high && !told->low)
		return 0;
	uint64_t id = nt_hash_bytes(told, sizeof(*told));
	return id ? id : 1;
}

static struct nt_request_activity *find_activity(struct nt_request_times *times, uint64_t id)
{
	uint32_t index = id ? nt_index_get(&times->by_activity, id) : NT_INDEX_NONE;
	return index == NT_INDEX_NONE ? NULL : &times->activities[index];
}

static void forget_activity(struct nt_request_times *times, size_t index)
{
	struct nt_request_activity *place = &times->activities[index];
	nt_index_remove(&times->by_activity, place->id);
	*place = times->activities[--times->activity_count];
	if (index < times->activity_count)
		nt_index_put(&times->by_activity, place->id, (uint32_t)index);
}

/* ---- turns ---- */

static struct nt_activity_turn *open_turn(struct nt_request_times *times, uint32_t tid)
{
	uint32_t index = nt_index_get(&times->by_thread, tid);
	return index == NT_INDEX_NONE ? NULL : &times->open[index];
}

void nt_request_times_turn(struct nt_request_times *times, const struct nt_event *event)
{
	uint64_t activity = activity_of(&event->u.activity);
	uint32_t tid = event->tid;
	nt_time time = event->time;
	struct nt_activity_turn *open = open_turn(times, tid);
	if (open && open->activity == activity)
		return;
	if (times->turn_count == NT_ACTIVITY_TURNS || (!open && times->open_count == NT_ACTIVITY_THREADS)) {
		nt_request_times_lost(times, time);
		return;
	}
	if (!open) {
		nt_index_put(&times->by_thread, tid, (uint32_t)times->open_count);
		times->open = nt_grow(times->open, &times->open_capacity, times->open_count + 1, sizeof(*times->open));
		open = &times->open[times->open_count++];
	} else if (time > open->from) {
		times->turns = nt_grow(times->turns, &times->turn_capacity, times->turn_count + 1, sizeof(*times->turns));
		times->turns[times->turn_count] = *open;
		times->turns[times->turn_count++].until = time;
	}
	*open = (struct nt_activity_turn){ .activity = activity, .from = time, .until = NT_TIME_UNKNOWN, .tid = tid };
}

/* That its thread takes it up is told apart. */
static void begin(struct nt_request_times *times, const struct nt_event *event, uint64_t activity, const char *method, const char *route)
{
	struct nt_request_time_row *row = row_of(times, method, route);
	struct nt_request_activity *there = find_activity(times, activity);
	if (!there && times->activity_count == NT_REQUEST_ACTIVITIES) { /* ends of most of them were lost, or not told */
		forget_activities(times);
		nt_request_times_lost(times, event->time);
	}
	if (!there) {
		nt_index_put(&times->by_activity, activity, (uint32_t)times->activity_count);
		times->activities = nt_grow(times->activities, &times->activity_capacity, times->activity_count + 1, sizeof(*there));
		there = &times->activities[times->activity_count++];
	}
	*there = (struct nt_request_activity){ activity, (uint32_t)(row - times->rows), event->time, NT_TIME_UNKNOWN };
}

/* As nt_majority_vote(), each by how long it took. */
static void count_awaited(struct nt_request_time_row *row, uint64_t *lead, const struct nt_request_awaited *awaited, uint64_t took_ns)
{
	uint64_t ns = awaited->ns < took_ns ? awaited->ns : took_ns;
	row->awaited_ns += ns;
	row->awaited_of_ns += took_ns;
	if (!awaited->peer)
		return;
	if (row->awaited == awaited->peer) {
		*lead += ns;
	} else if (*lead >= ns) {
		*lead -= ns;
	} else {
		*lead = ns - *lead;
		row->awaited = awaited->peer;
	}
}

static void end(struct nt_request_times *times, const struct nt_event *event, uint64_t activity, const struct nt_request_awaited *awaited)
{
	struct nt_request_activity *there = find_activity(times, activity);
	if (!there)
		return;
	struct nt_request_time_row *row = &times->rows[there->row];
	there->ended = event->time;
	row->count++;
	uint64_t took_ns = event->time > there->began ? event->time - there->began : 0;
	row->time_ns += took_ns;
	if (awaited)
		count_awaited(row, &times->leads[there->row], awaited, took_ns);
}

void nt_request_times_request(struct nt_request_times *times, const struct nt_event *event, const char *method, const char *route,
			      const struct nt_request_awaited *awaited)
{
	uint64_t activity = activity_of(&event->u.request.activity);
	if (!activity || !times->asked) /* another tool may have asked for activities, and we for requests alone */
		return;
	if (event->u.request.op == NT_REQUEST_BEGUN)
		begin(times, event, activity, method, route);
	else
		end(times, event, activity, awaited);
}

/* ---- samples ---- */

void nt_request_times_sample(struct nt_request_times *times, nt_time time, uint32_t tid, uint64_t weight_ns)
{
	if (!told_since(times))
		return;
	if (times->sample_count == NT_ACTIVITY_SAMPLES) {
		nt_request_times_lost(times, time);
		return;
	}
	times->samples = nt_grow(times->samples, &times->sample_capacity, times->sample_count + 1, sizeof(*times->samples));
	times->samples[times->sample_count++] = (struct nt_activity_sample){ .time = time, .weight_ns = weight_ns, .tid = tid };
}

static int by_thread_and_time(const void *a, const void *b)
{
	const struct nt_activity_turn *left = a, *right = b;
	if (left->tid != right->tid)
		return left->tid < right->tid ? -1 : 1;
	return (left->from > right->from) - (left->from < right->from);
}

/* The turn of the thread that the sample was taken in; NULL = none is known. `turns` are in order of their threads, then of time. */
static const struct nt_activity_turn *turn_at(struct nt_request_times *times, const struct nt_activity_sample *sample)
{
	const struct nt_activity_turn *open = open_turn(times, sample->tid);
	if (open && open->from <= sample->time)
		return open;
	size_t low = 0, high = times->turn_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct nt_activity_turn *turn = &times->turns[middle];
		if (turn->tid < sample->tid || (turn->tid == sample->tid && turn->from <= sample->time))
			low = middle + 1;
		else
			high = middle;
	}
	const struct nt_activity_turn *turn = low ? &times->turns[low - 1] : NULL;
	return turn && turn->tid == sample->tid && sample->time < turn->until ? turn : NULL;
}

static void count_sample(struct nt_request_times *times, const struct nt_activity_sample *sample)
{
	const struct nt_activity_turn *turn = turn_at(times, sample);
	const struct nt_request_activity *activity = turn ? find_activity(times, turn->activity) : NULL;
	times->cpu_ns += sample->weight_ns;
	if (!activity)
		return;
	times->of_requests_ns += sample->weight_ns;
	times->rows[activity->row].cpu_ns.v += sample->weight_ns;
}

/* The events of its time have come. */
static void count_pauses(struct nt_request_times *times, const struct nt_request_activity *activity)
{
	struct nt_request_time_row *row = &times->rows[activity->row];
	struct nt_u64 paused = nt_request_pauses_in(&times->pauses, activity->began, activity->ended);
	if (!paused.known)
		return;
	row->gc_ns += paused.v;
	row->gc_of_ns += activity->ended - activity->began;
}

/* Of what is older nothing can be asked any more. */
static void drop_settled(struct nt_request_times *times, nt_time until)
{
	size_t kept = 0;
	for (size_t i = 0; i < times->turn_count; i++)
		if (times->turns[i].until > until)
			times->turns[kept++] = times->turns[i];
	times->turn_count = kept;
	for (size_t i = times->activity_count; i-- > 0;)
		if (times->activities[i].ended <= until) {
			count_pauses(times, &times->activities[i]);
			forget_activity(times, i);
		}
}

static void settle(struct nt_request_times *times, nt_time until)
{
	nt_time from = told_since(times) > times->settled ? told_since(times) : times->settled;
	if (from < times->lost_until)
		from = times->lost_until;
	if (times->turn_count)
		qsort(times->turns, times->turn_count, sizeof(*times->turns), by_thread_and_time);
	size_t kept = 0;
	for (size_t i = 0; i < times->sample_count; i++) {
		const struct nt_activity_sample *sample = &times->samples[i];
		if (sample->time >= until)
			times->samples[kept++] = *sample;
		else if (sample->time >= from)
			count_sample(times, sample);
	}
	times->sample_count = kept;
	times->covered_ns += until > from ? until - from : 0;
	if (until > times->settled)
		times->settled = until;
	drop_settled(times, times->settled);
}

void nt_request_times_covered(struct nt_request_times *times, enum nt_request_times_part part, bool covered, nt_time time)
{
	if (told_since(times))
		settle(times, time);
	times->told[part] = covered ? time : 0;
	if (!covered)
		forget_all(times);
}

/* ---- closing ---- */

static const struct nt_why no_samples = { "there are no CPU samples", NULL };

static struct nt_why why_of(const struct nt_request_times *times, bool sampled, const struct nt_why *why)
{
	static const struct nt_why unasked = {
		"which requests CPU time is for is told while that grouping of screen R is open, or with --request-cpu", NULL
	};
	static const struct nt_why soon = { "which requests CPU time is for has been asked for, and has not begun to come yet", NULL };
	if (why->reason)
		return *why;
	if (!told_since(times))
		return times->asked ? soon : unasked;
	return sampled ? (struct nt_why){ 0 } : no_samples;
}

static void fill(uint64_t covered_ns, uint64_t of_requests_ns, uint64_t cpu_ns, bool sampled, struct nt_request_figures *out)
{
	out->times_covered_ns = nt_u64_if(covered_ns, covered_ns);
	out->times_cpu_ns = nt_u64_if(covered_ns && sampled, of_requests_ns);
	out->times_other_cpu_ns = nt_u64_if(covered_ns && sampled, cpu_ns - of_requests_ns);
}

/* `all_ns`: CPU time of the process in the span of `part_ns`. */
static struct nt_f64 share_of(struct nt_u64 part_ns, uint64_t all_ns)
{
	bool known = part_ns.known && all_ns;
	return (struct nt_f64){ .known = known, .v = known ? 100 * (double)part_ns.v / (double)all_ns : 0 };
}

/* As it is shown; the next interval of it begins. */
static struct nt_request_time_row close_row(struct nt_request_time_row *row, bool sampled)
{
	row->count_all += row->count;
	row->time_all_ns += row->time_ns;
	row->cpu_all_ns.v += row->cpu_ns.v;
	row->cpu_ns.known = sampled;
	row->cpu_all_ns.known |= sampled;
	struct nt_request_time_row shown = *row;
	row->count = row->time_ns = row->cpu_ns.v = 0;
	return shown;
}

/* Most of what is told of a second comes in it; the rest is added by the next call. */
static void take_pauses(struct nt_request_times *times, const struct nt_span *span, const struct nt_u64 *covered_ns,
			const struct nt_pauses *pauses)
{
	bool told = covered_ns->known && covered_ns->v >= nt_span_length(span) / 10 * 9;
	if (told && told_since(times))
		nt_request_pauses_add(&times->pauses, pauses, span->t0);
	else
		nt_request_pauses_forget(&times->pauses);
}

void nt_request_times_close(struct nt_request_times *times, const struct nt_span *span, const struct nt_why *why,
			    const struct nt_pauses *pauses, struct nt_process_snapshot *process)
{
	struct nt_request_figures *interval = &process->interval.requests, *total = &process->total.requests;
	bool sampled = process->interval.cpu.samples.known, sampled_all = process->total.cpu.samples.known;
	take_pauses(times, span, &process->interval.gc.covered_ns, pauses);
	if (told_since(times))
		settle(times, span->final ? span->t1 : span->t1 - settle_ns);
	times->cpu_all_ns += times->cpu_ns;
	times->of_requests_all_ns += times->of_requests_ns;
	times->covered_all_ns += times->covered_ns;
	fill(times->covered_ns, times->of_requests_ns, times->cpu_ns, sampled, interval);
	fill(times->covered_all_ns, times->of_requests_all_ns, times->cpu_all_ns, sampled_all, total);
	interval->times_why = why_of(times, sampled, why);
	total->times_why = !times->covered_all_ns ? interval->times_why : sampled_all ? (struct nt_why){ 0 } : no_samples;
	process->request_times = nt_realloc(NULL, times->count + 1, sizeof(*process->request_times));
	process->request_time_count = times->count;
	for (size_t i = 0; i < times->count; i++) {
		struct nt_request_time_row *shown = &process->request_times[i];
		*shown = close_row(&times->rows[i], sampled);
		shown->cpu_pct = span->final ? share_of(shown->cpu_all_ns, times->cpu_all_ns) : share_of(shown->cpu_ns, times->cpu_ns);
	}
	times->cpu_ns = times->of_requests_ns = times->covered_ns = 0;
}

void nt_request_times_each_text(const struct nt_request_times *times, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < times->count; i++) {
		visit(times->rows[i].method, context);
		visit(times->rows[i].route, context);
		visit(times->rows[i].awaited, context);
	}
}
