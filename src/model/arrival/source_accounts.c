// SPDX-License-Identifier: GPL-2.0-only
#include "model/arrival/source_accounts.h"

void nt_sources_init(struct nt_sources *sources)
{
	*sources = (struct nt_sources){ 0 };
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++)
		sources->items[i].last_delivery = NT_TIME_UNKNOWN;
}

/* Its newest event says how far all has been told, because its events come in order. EventPipe has several streams: it says so itself, by IDLE. */
static bool tells_in_order(enum nt_source_id source, const struct nt_event *event)
{
	return source != NT_SOURCE_EVENTPIPE || event->kind == NT_EV_IDLE;
}

void nt_sources_count(struct nt_sources *sources, enum nt_source_id source, const struct nt_event *event)
{
	struct nt_source_account *account = &sources->items[source];
	if (event->kind == NT_EV_SOURCE_STATE || event->kind == NT_EV_COVER)
		return; /* it speaks of itself */
	bool timed = event->time != NT_TIME_UNKNOWN;
	if (timed && (account->last_delivery == NT_TIME_UNKNOWN || event->time > account->last_delivery))
		account->last_delivery = event->time;
	if (timed && event->time > account->progress && tells_in_order(source, event))
		account->progress = event->time;
	if (event->kind == NT_EV_IDLE && event->time > account->idle)
		account->idle = event->time;
	if (event->kind == NT_EV_IDLE || event->kind == NT_EV_FILE)
		return;
	account->events++;
	account->events_all++;
	/* What it was opened for is the best proof that it delivers, whatever it said last. */
	if (event->kind == NT_EV_SAMPLE || event->kind == NT_EV_MOMENT || nt_event_is_of_runtime(event->kind))
		account->was_delivering = account->delivered_now = true;
	if (event->kind == NT_EV_CLR_UNKNOWN)
		account->unknown_count++;
}

void nt_sources_state(struct nt_sources *sources, enum nt_source_id source, const struct nt_ev_source_state *state,
		      const struct nt_why *why, const struct nt_why *no_switches)
{
	if (state->state > NT_STATE_ENDED)
		return;
	struct nt_source_account *account = &sources->items[source];
	account->stated = true;
	account->open = state->open != 0;
	account->state = state->state;
	account->brings = state->brings;
	account->withheld = state->withheld <= NT_WITHHELD_FILE ? (enum nt_withheld)state->withheld : NT_WITHHELD_UNKNOWN;
	account->postpones = state->postpones;
	account->rate_hz = state->rate_hz;
	account->reason = why->reason;
	account->fix = why->fix;
	if (state->state != NT_STATE_ENDED) { /* what was known stays known in this way */
		account->no_switches =
			state->no_switches <= NT_NO_SWITCHES_KERNEL ? (enum nt_no_switches)state->no_switches : NT_NO_SWITCHES_KERNEL;
		account->no_switches_why = *no_switches;
	}
	if (state->state == NT_STATE_DELIVERING)
		account->was_delivering = account->delivered_now = true;
}

void nt_sources_lost(struct nt_sources *sources, enum nt_source_id source, const struct nt_ev_lost *lost)
{
	struct nt_source_account *account = &sources->items[source];
	account->lost_now = true;
	if (!lost->count_known) {
		account->lost_unknown = true;
		return;
	}
	account->lost_count += lost->count;
	if (lost->what == NT_LOST_SAMPLES) {
		account->lost_samples += lost->count;
		account->lost_samples_all += lost->count;
	}
}

void nt_sources_file(struct nt_sources *sources, enum nt_source_id source, const struct nt_ev_file *file)
{
	sources->items[source].file_bytes = nt_u64_of(file->bytes);
}

/* One that was truncated has no growth: less than nothing is not known to have been written. */
static struct nt_u64 file_growth(const struct nt_source_account *account, const struct nt_span *span)
{
	uint64_t now = account->file_bytes.v, before = account->file_bytes_before.v;
	bool known = account->file_bytes.known && account->file_bytes_before.known && now >= before && nt_span_length(span);
	return known ? nt_u64_of((uint64_t)((double)(now - before) * (double)NT_NS_PER_S / (double)nt_span_length(span)))
		     : (struct nt_u64){ 0 };
}

nt_time nt_sources_map_until(const struct nt_sources *sources)
{
	const struct nt_source_account *map = &sources->items[NT_SOURCE_CODEMAP];
	return map->open && map->state == NT_STATE_DELIVERING ? map->idle : NT_TIME_UNKNOWN;
}

bool nt_sources_past(const struct nt_sources *sources, nt_time time)
{
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++) {
		const struct nt_source_account *account = &sources->items[i];
		bool waits = account->open && account->state == NT_STATE_DELIVERING && i != NT_SOURCE_PROCFS && i != NT_SOURCE_CODEMAP;
		if (waits && account->progress < time)
			return false;
	}
	return true;
}

void nt_sources_cover(struct nt_sources *sources, enum nt_source_id source, nt_time covered_ns, const struct nt_span *span)
{
	struct nt_source_account *account = &sources->items[source];
	nt_time all_ns = account->covered_all_ns.v + covered_ns, most_ns = span->t1 - span->start;
	account->covered_ns = nt_u64_of(covered_ns);
	account->covered_all_ns = nt_u64_of(all_ns < most_ns ? all_ns : most_ns);
}

/* Of the time in which it told of anything, which may be none. */
static struct nt_f64 events_per_s(const struct nt_source_account *account, const struct nt_span *span)
{
	nt_time ns = account->covered_ns.known ? account->covered_ns.v : nt_span_length(span);
	return ns ? nt_f64_of((double)account->events * (double)NT_NS_PER_S / (double)ns) : (struct nt_f64){ 0 };
}

static void fill_row(const struct nt_source_account *account, enum nt_source_id id, const struct nt_span *span, struct nt_source_row *row)
{
	*row = (struct nt_source_row){ .id = id,
				       .state = account->state,
				       .brings = account->brings,
				       .rate_hz = { .v = account->rate_hz, .known = account->rate_hz != 0 },
				       .reason = account->reason,
				       .fix = account->fix,
				       .events = account->events,
				       .events_all = account->events_all,
				       .covered_ns = account->covered_ns,
				       .covered_all_ns = account->covered_all_ns,
				       .events_per_s = events_per_s(account, span),
				       .lost_count = account->lost_count,
				       .lost_unknown = account->lost_unknown,
				       .lost_growing = account->lost_now,
				       .late_count = account->late_count,
				       .duplicate_count = account->duplicate_count,
				       .unknown_count = account->unknown_count,
				       .last_delivery = account->last_delivery,
				       .file_bytes = account->file_bytes,
				       .file_bytes_per_s = file_growth(account, span) };
	if (account->last_delivery != NT_TIME_UNKNOWN)
		row->lag_ns = nt_u64_of(account->last_delivery < span->t1 ? span->t1 - account->last_delivery : 0);
}

struct nt_source_sums nt_source_sums(const struct nt_source_account *account)
{
	return (struct nt_source_sums){ account->events, account->events_all, account->lost_count };
}

void nt_sources_told_elsewhere(struct nt_source_account *account, const struct nt_source_sums *before)
{
	account->elsewhere.events += account->events - before->events;
	account->elsewhere.events_all += account->events_all - before->events_all;
	account->elsewhere.lost_count += account->lost_count - before->lost_count;
}

static struct nt_u64 longer(struct nt_u64 a, struct nt_u64 b)
{
	return !a.known || (b.known && b.v > a.v) ? b : a;
}

static struct nt_u64 together(struct nt_u64 a, struct nt_u64 b)
{
	return a.known && b.known ? nt_u64_of(a.v + b.v) : a.known ? a : b;
}

static bool is_newer(nt_time time, nt_time than)
{
	return time != NT_TIME_UNKNOWN && (than == NT_TIME_UNKNOWN || time > than);
}

/* The source tells of one more process. It delivers if it does so of one. */
static void add_to_row(const struct nt_source_account *account, const struct nt_source_row *of, struct nt_source_row *row)
{
	if (row->state != NT_STATE_DELIVERING && of->state == NT_STATE_DELIVERING) {
		row->state = of->state;
		row->reason = of->reason;
		row->fix = of->fix;
	}
	row->brings |= of->brings;
	if (!row->rate_hz.known)
		row->rate_hz = of->rate_hz;
	uint64_t fresh = of->events - account->elsewhere.events;
	if (of->events_per_s.known)
		row->events_per_s = nt_f64_of((row->events_per_s.known ? row->events_per_s.v : 0) +
					      (of->events ? of->events_per_s.v * (double)fresh / (double)of->events : 0));
	row->events += fresh;
	row->events_all += of->events_all - account->elsewhere.events_all;
	row->covered_ns = longer(row->covered_ns, of->covered_ns);
	row->covered_all_ns = longer(row->covered_all_ns, of->covered_all_ns);
	row->lost_count += of->lost_count - account->elsewhere.lost_count;
	row->lost_unknown |= of->lost_unknown;
	row->lost_growing |= of->lost_growing;
	row->late_count += of->late_count;
	row->duplicate_count += of->duplicate_count;
	row->unknown_count += of->unknown_count;
	if (is_newer(of->last_delivery, row->last_delivery)) {
		row->last_delivery = of->last_delivery;
		row->lag_ns = of->lag_ns;
	}
	row->file_bytes = together(row->file_bytes, of->file_bytes);
	row->file_bytes_per_s = together(row->file_bytes_per_s, of->file_bytes_per_s);
}

static void show(const struct nt_source_account *account, enum nt_source_id id, const struct nt_span *span, struct nt_snapshot *snapshot)
{
	struct nt_source_row row;
	fill_row(account, id, span, &row);
	for (size_t i = 0; i < snapshot->source_count; i++) {
		if (snapshot->sources[i].id == id) {
			add_to_row(account, &row, &snapshot->sources[i]);
			return;
		}
	}
	row.events -= account->elsewhere.events;
	row.events_all -= account->elsewhere.events_all;
	row.lost_count -= account->elsewhere.lost_count;
	snapshot->sources[snapshot->source_count++] = row;
}

void nt_sources_close(struct nt_sources *sources, const struct nt_span *span, struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++) {
		struct nt_source_account *account = &sources->items[i];
		if (account->stated && i != NT_SOURCE_APP)
			show(account, (enum nt_source_id)i, span, snapshot);
		snapshot->lost_count += account->lost_count - account->elsewhere.lost_count;
		snapshot->lost_unknown |= account->lost_unknown;
		snapshot->lost_growing |= account->lost_now;
		account->events = 0;
		account->elsewhere.events = 0;
		account->lost_samples = 0;
		account->lost_now = false;
		account->file_bytes_before = account->file_bytes;
		account->delivered_now = account->state == NT_STATE_DELIVERING;
	}
}

void nt_sources_each_text(const struct nt_sources *sources, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++) {
		visit(sources->items[i].reason, context);
		visit(sources->items[i].fix, context);
		visit(sources->items[i].no_switches_why.reason, context);
		visit(sources->items[i].no_switches_why.fix, context);
	}
}
