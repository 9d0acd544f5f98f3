// SPDX-License-Identifier: GPL-2.0-only
#include "output/metrics/metrics.h"

#include "nettop/process_row.h"
#include "nettop/subject.h"
#include "output/metrics/metric_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The points of one family, until the first of which it is not told. */
struct telling {
	const struct nt_metric_sink *sink;
	const struct nt_metric_family *family;
	bool told;
};

/* What is counted of a process is counted since nettop has it. */
static nt_time since_of(const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	nt_time span_ns = process->total.span_ns, start = snapshot->t1 > span_ns ? snapshot->t1 - span_ns : 0;
	return span_ns && start > snapshot->start ? start : snapshot->start;
}

static struct telling begin(const struct nt_metric_sink *sink, const struct nt_metric_family *family)
{
	return (struct telling){ .sink = sink, .family = family };
}

static void tell(struct telling *telling, const struct nt_metric_label *labels, size_t count, struct nt_metric_value value)
{
	if (!telling->told)
		telling->sink->family(telling->sink->context, telling->family);
	telling->told = true;
	telling->sink->point(telling->sink->context, labels, count, value);
}

static struct nt_metric_value whole(uint64_t value)
{
	return (struct nt_metric_value){ .form = NT_METRIC_WHOLE, .whole = value };
}

static struct nt_metric_value nanoseconds(uint64_t value)
{
	return (struct nt_metric_value){ .form = NT_METRIC_NANOSECONDS, .whole = value };
}

static struct nt_metric_value real(double value)
{
	return (struct nt_metric_value){ .form = NT_METRIC_REAL, .real = value };
}

static void tell_one(const struct nt_metric_sink *sink, const struct nt_metric_family *family, bool known, struct nt_metric_value value)
{
	struct telling telling = begin(sink, family);
	if (known)
		tell(&telling, NULL, 0, value);
}

static struct nt_metric_value since(nt_time start, struct nt_metric_value value)
{
	value.since = start;
	return value;
}

/* ---- processes ---- */

enum { OF_PROCESS = 2, PID_BYTES = 12 };

struct process_labels {
	char pid[PID_BYTES];
	struct nt_metric_label labels[NT_METRIC_LABELS_MAX];
};

/* The first two of each point that is of a process. */
static void label_process(const struct nt_process_row *row, struct process_labels *out)
{
	snprintf(out->pid, sizeof(out->pid), "%u", row->pid);
	out->labels[0] = (struct nt_metric_label){ "process", row->name ? row->name : "" };
	out->labels[1] = (struct nt_metric_label){ "pid", out->pid };
}

/* One that has ended has no more points: who gathers them sees that its series have ended. */
static bool is_there(const struct nt_process_row *row)
{
	return row->kind == NT_PROCESS_ROW && row->ended_at == NT_TIME_UNKNOWN;
}

/* The processes that have points, one after the other. */
struct walk {
	const struct nt_snapshot *snapshot;
	size_t at, seen;
	const struct nt_process_row *row; /* the one in hand */
	struct process_labels labels;     /* its own */
};

static struct walk walk_over(const struct nt_snapshot *snapshot)
{
	return (struct walk){ .snapshot = snapshot };
}

/* False: there is none any more. */
static bool go_on(struct walk *walk)
{
	const struct nt_snapshot *snapshot = walk->snapshot;
	while (walk->at < snapshot->listed_count && walk->seen < NT_METRIC_PROCESSES_MAX) {
		walk->row = &snapshot->listed[walk->at++];
		if (!is_there(walk->row))
			continue;
		walk->seen++;
		label_process(walk->row, &walk->labels);
		return true;
	}
	return false;
}

/* ---- the figures of the table of subjects ---- */

static const struct ending {
	const char *text; /* of a key */
	const char *unit;
} endings[] = { { "_ns", "seconds" }, { "_bytes", "bytes" }, { "_pct", "ratio" }, { "_count", "" } };

static const struct ending *ending_of(const char *key)
{
	size_t length = strlen(key);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t end = strlen(endings[i].text);
		if (length > end && strcmp(key + length - end, endings[i].text) == 0)
			return &endings[i];
	}
	return NULL;
}

bool nt_metric_of_figure(const struct nt_figure *figure, char name[NT_METRIC_NAME_BYTES], const char **unit)
{
	static const char identity[] = "_tid";
	const struct ending *ending = ending_of(figure->key);
	size_t length = strlen(figure->key), end = sizeof(identity) - 1;
	if (figure->type == NT_FIGURE_TEXT || (length > end && strcmp(figure->key + length - end, identity) == 0))
		return false;
	*unit = ending ? ending->unit : "";
	if (strcmp(figure->key, "count") == 0)
		length = 0;
	else if (ending)
		length -= strlen(ending->text);
	snprintf(name, NT_METRIC_NAME_BYTES, "nettop_%s%s%.*s%s%s", figure->section, length ? "_" : "", (int)length, figure->key,
		 **unit ? "_" : "", *unit);
	return true;
}

/* False: it is not known. */
static bool read_figure(const struct nt_process_snapshot *process, const struct nt_figure *figure, struct nt_metric_value *out)
{
	const struct nt_figures *figures = figure->sort == NT_COUNTER ? &process->total : &process->interval;
	const char *at = (const char *)figures + figure->offset;
	const struct ending *ending = ending_of(figure->key);
	bool is_pct = ending && strcmp(ending->unit, "ratio") == 0, is_ns = ending && strcmp(ending->unit, "seconds") == 0;
	if (figure->type == NT_FIGURE_F64) {
		const struct nt_f64 *value = (const struct nt_f64 *)at;
		*out = real(is_pct ? value->v / 100 : value->v);
		return value->known && isfinite(value->v);
	}
	const struct nt_u64 *value = (const struct nt_u64 *)at;
	*out = is_ns ? nanoseconds(value->v) : is_pct ? real((double)value->v / 100) : whole(value->v);
	return value->known;
}

static void tell_figure(const struct nt_snapshot *snapshot, const struct nt_figure *figure, const struct nt_metric_sink *sink)
{
	char name[NT_METRIC_NAME_BYTES], help[1024];
	struct nt_metric_family family = { .name = name, .type = figure->sort == NT_COUNTER ? NT_METRIC_COUNTER : NT_METRIC_GAUGE };
	if (!nt_metric_of_figure(figure, name, &family.unit))
		return;
	snprintf(help, sizeof(help), "%s%s", figure->help,
		 figure->sort == NT_COUNTER ? " (since nettop came)"
		 : figure->sort == NT_STATE ? " (at the end of the last interval)"
					    : " (in the last interval)");
	family.help = help;
	struct telling telling = begin(sink, &family);
	for (struct walk walk = walk_over(snapshot); go_on(&walk);) {
		struct nt_metric_value value;
		if (!walk.row->process || !read_figure(walk.row->process, figure, &value))
			continue;
		value.since = since_of(snapshot, walk.row->process);
		tell(&telling, walk.labels.labels, OF_PROCESS, value);
	}
}

static void tell_figures(const struct nt_snapshot *snapshot, const struct nt_metric_sink *sink)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++)
			tell_figure(snapshot, &nt_subjects[s]->figures[i], sink);
}

static void tell_row_family(const struct nt_snapshot *snapshot, const struct nt_row_family *of, const struct nt_metric_sink *sink)
{
	struct nt_row_point points[NT_METRIC_ROWS_MAX];
	struct telling telling = begin(sink, &of->family);
	for (struct walk walk = walk_over(snapshot); go_on(&walk);) {
		size_t count = walk.row->process ? nt_row_points(of, snapshot, walk.row->process, points) : 0;
		for (size_t i = 0; i < count; i++) {
			size_t labels = OF_PROCESS;
			for (size_t l = 0; of->labels[l].key; l++)
				walk.labels.labels[labels++] = (struct nt_metric_label){ of->labels[l].key, points[i].values[l] };
			points[i].value.since = since_of(snapshot, walk.row->process);
			tell(&telling, walk.labels.labels, labels, points[i].value);
		}
	}
}

static void tell_rows(const struct nt_snapshot *snapshot, const struct nt_metric_sink *sink)
{
	for (size_t i = 0; i < nt_row_family_count; i++)
		tell_row_family(snapshot, &nt_row_families[i], sink);
}

static void tell_unknown(const struct nt_snapshot *snapshot, const struct nt_metric_sink *sink)
{
	static const struct nt_metric_family family = {
		.name = "nettop_unknown",
		.unit = "",
		.type = NT_METRIC_INFO,
		.help = "why the figures of a subject are not known, so that they have no samples"
	};
	struct telling telling = begin(sink, &family);
	for (struct walk walk = walk_over(snapshot); go_on(&walk);) {
		const struct nt_process_snapshot *process = walk.row->process;
		for (size_t s = 0; process && s < NT_SUBJECT_COUNT; s++) {
			const struct nt_why *why = (const struct nt_why *)((const char *)&process->interval + nt_subjects[s]->why);
			if (!nt_subjects[s]->why || !why->reason)
				continue;
			walk.labels.labels[OF_PROCESS] = (struct nt_metric_label){ "subject", nt_subjects[s]->name };
			walk.labels.labels[OF_PROCESS + 1] = (struct nt_metric_label){ "reason", why->reason };
			tell(&telling, walk.labels.labels, OF_PROCESS + 2, whole(1));
		}
	}
}

/* ---- of each process besides ---- */

static void tell_processes(const struct nt_snapshot *snapshot, const struct nt_metric_sink *sink)
{
	static const struct nt_metric_family info = {
		.name = "nettop_process", .unit = "", .type = NT_METRIC_INFO, .help = "a .NET process, the version of its runtime, its user"
	};
	static const struct nt_metric_family restarts = {
		.name = "nettop_process_restarts",
		.unit = "",
		.type = NT_METRIC_GAUGE,
		.help = "how often a process of its command and user has ended, and one has begun in its place, since nettop came"
	};
	static const struct nt_metric_family left_out = { .name = "nettop_processes_left_out",
							  .unit = "",
							  .type = NT_METRIC_GAUGE,
							  .help = "processes that have no samples, because there are too many" };
	struct telling telling = begin(sink, &info), restarting = begin(sink, &restarts);
	size_t there = 0;
	for (struct walk walk = walk_over(snapshot); go_on(&walk);) {
		size_t count = OF_PROCESS;
		if (walk.row->runtime)
			walk.labels.labels[count++] = (struct nt_metric_label){ "runtime", walk.row->runtime };
		if (walk.row->user)
			walk.labels.labels[count++] = (struct nt_metric_label){ "user", walk.row->user };
		tell(&telling, walk.labels.labels, count, whole(1));
	}
	for (struct walk walk = walk_over(snapshot); go_on(&walk);)
		tell(&restarting, walk.labels.labels, OF_PROCESS, whole(walk.row->restarts));
	for (size_t i = 0; i < snapshot->listed_count; i++)
		there += is_there(&snapshot->listed[i]);
	tell_one(sink, &left_out, true, whole(there > NT_METRIC_PROCESSES_MAX ? there - NT_METRIC_PROCESSES_MAX : 0));
}

/* A finding that has lapsed is none. Of one kind there may be several, of different threads: that it holds is said once. */
static bool holds(const struct nt_process_snapshot *process, enum nt_finding_kind kind)
{
	for (size_t i = 0; i < process->finding_count; i++) {
		const struct nt_finding *finding = &process->findings[i];
		if (finding->kind == kind && !finding->lapsed_ns && finding->until == NT_TIME_UNKNOWN)
			return true;
	}
	return false;
}

static void tell_findings(const struct nt_snapshot *snapshot, const struct nt_metric_sink *sink)
{
	static const struct nt_metric_family family = {
		.name = "nettop_finding",
		.unit = "",
		.type = NT_METRIC_GAUGE,
		.help = "1: a judgement of nettop's that holds now; the manual page says what each means"
	};
	struct telling telling = begin(sink, &family);
	for (struct walk walk = walk_over(snapshot); go_on(&walk);)
		for (int kind = 0; walk.row->process && kind < NT_FINDING_KIND_COUNT; kind++) {
			if (!holds(walk.row->process, (enum nt_finding_kind)kind))
				continue;
			walk.labels.labels[OF_PROCESS] =
				(struct nt_metric_label){ "kind", nt_finding_kind_name((enum nt_finding_kind)kind) };
			tell(&telling, walk.labels.labels, OF_PROCESS + 1, whole(1));
		}
}

/* ---- nettop's own ---- */

static void tell_f64_pct(const struct nt_metric_sink *sink, const char *name, const char *help, struct nt_f64 pct)
{
	const struct nt_metric_family family = { .name = name, .unit = "ratio", .type = NT_METRIC_GAUGE, .help = help };
	tell_one(sink, &family, pct.known && isfinite(pct.v), real(pct.v / 100));
}

static void tell_sources(const struct nt_snapshot *snapshot, const struct nt_metric_sink *sink)
{
	static const struct nt_metric_family state = { .name = "nettop_source_state",
						       .unit = "",
						       .type = NT_METRIC_GAUGE,
						       .help = "1: the state of a source, of several processes the best it has for one" };
	static const struct nt_metric_family events = {
		.name = "nettop_source_events", .unit = "", .type = NT_METRIC_COUNTER, .help = "events that it brought"
	};
	static const struct nt_metric_family lost = { .name = "nettop_source_lost",
						      .unit = "",
						      .type = NT_METRIC_COUNTER,
						      .help = "events that were lost before they came here, as far as somebody counted" };
	static const struct nt_metric_family uncounted = { .name = "nettop_source_lost_uncounted",
							   .unit = "",
							   .type = NT_METRIC_GAUGE,
							   .help = "1: further events were lost that nobody counted" };
	const struct nt_metric_family *const families[] = { &state, &events, &lost, &uncounted };
	for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
		struct telling telling = begin(sink, families[f]);
		for (size_t i = 0; i < snapshot->source_count; i++) {
			const struct nt_source_row *source = &snapshot->sources[i];
			const struct nt_metric_label labels[] = { { "source", nt_source_name(source->id) },
								  { "state", nt_source_state_name(source->state) } };
			uint64_t value = families[f] == &state    ? 1
					 : families[f] == &events ? source->events_all
					 : families[f] == &lost   ? source->lost_count
								  : source->lost_unknown;
			tell(&telling, labels, families[f] == &state ? 2 : 1, since(snapshot->start, whole(value)));
		}
	}
}

static void tell_own(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, const struct nt_metric_sink *sink)
{
	static const struct nt_metric_family build = { .name = "nettop_build", .unit = "", .type = NT_METRIC_INFO, .help = "this nettop" };
	static const struct nt_metric_family interval = {
		.name = "nettop_interval_seconds", .unit = "seconds", .type = NT_METRIC_GAUGE, .help = "length of the last interval"
	};
	static const struct nt_metric_family memory = { .name = "nettop_self_memory_bytes",
							.unit = "bytes",
							.type = NT_METRIC_GAUGE,
							.help = "resident memory of nettop and of its sources' helpers" };
	static const struct nt_metric_family sent = {
		.name = "nettop_otlp_sent", .unit = "", .type = NT_METRIC_COUNTER, .help = "requests that the collector has taken"
	};
	static const struct nt_metric_family dropped = {
		.name = "nettop_otlp_dropped",
		.unit = "",
		.type = NT_METRIC_COUNTER,
		.help = "requests that it refused, or that waited too long for it: it will not get them"
	};
	static const struct nt_metric_family waiting = {
		.name = "nettop_otlp_waiting", .unit = "", .type = NT_METRIC_GAUGE, .help = "requests that wait for it"
	};
	static const struct nt_metric_family served = { .name = "nettop_server_texts",
							.unit = "",
							.type = NT_METRIC_COUNTER,
							.help = "times that the server asked for these metrics, once for all who waited" };
	static const struct nt_metric_family ends = {
		.name = "nettop_server_ends",
		.unit = "",
		.type = NT_METRIC_COUNTER,
		.help = "times that a process that serves, or sends, has ended, and was started again"
	};
	static const struct nt_metric_family server_time = {
		.name = "nettop_server_cpu_seconds", .unit = "seconds", .type = NT_METRIC_COUNTER, .help = "CPU time of those processes"
	};
	const struct nt_metric_label labels[] = { { "version", own->version } };
	struct telling telling = begin(sink, &build);
	tell(&telling, labels, 1, whole(1));
	tell_one(sink, &interval, snapshot->t1 > snapshot->t0, nanoseconds(snapshot->t1 - snapshot->t0));
	tell_f64_pct(sink, "nettop_self_cpu_ratio", "CPU time of nettop, 1 = one CPU (in the last interval)", snapshot->self_pct);
	tell_f64_pct(sink, "nettop_self_daemons_cpu_ratio", "CPU time of LTTng's daemons, 1 = one CPU (in the last interval)",
		     snapshot->daemons_pct);
	tell_f64_pct(sink, "nettop_target_cost_ratio",
		     "CPU time that watching costs the process, of its own: an estimate; of several not known (in the last interval)",
		     snapshot->target_cost_pct);
	tell_one(sink, &memory, snapshot->self_rss_bytes.known, whole(snapshot->self_rss_bytes.v));
	tell_one(sink, &served, true, since(snapshot->start, whole(own->served_count)));
	tell_one(sink, &ends, true, since(snapshot->start, whole(own->server_end_count)));
	tell_one(sink, &server_time, true, since(snapshot->start, nanoseconds(own->server_cpu_ns)));
	tell_one(sink, &sent, own->sends, since(snapshot->start, whole(own->sent_count)));
	tell_one(sink, &dropped, own->sends, since(snapshot->start, whole(own->dropped_count)));
	tell_one(sink, &waiting, own->sends, whole(own->waiting_count));
}

void nt_metrics_tell(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, const struct nt_metric_sink *sink)
{
	tell_own(snapshot, own, sink);
	tell_sources(snapshot, sink);
	tell_processes(snapshot, sink);
	tell_findings(snapshot, sink);
	tell_figures(snapshot, sink);
	tell_rows(snapshot, sink);
	tell_unknown(snapshot, sink);
}
