// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/diff_command.h"

#include "app/commands/replay_through.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "base/alloc.h"
#include "model/past/past_compare.h"
#include "model/past/past_span.h"
#include "output/diff/diff_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a recording all of it, if there is room. */
static const struct nt_past_config all_of_it = { .span_ns = 30 * 86400 * NT_NS_PER_S, .limit_bytes = 1 << 30 };

/* A recording, kept as the screen keeps what is over. */
struct side {
	struct nt_diff_side said;
	struct nt_past *past; /* owned */
	nt_time from, to;     /* of what is kept */
	uint64_t sample_ns;   /* 0 = not said */
	size_t process_count; /* the most that there were */
	unsigned left_out;    /* intervals in which sources begin */
	bool begun;           /* they have */
};

/* In the first ones half of the figures are not known, and would not be of the whole; at most so many. */
enum { BEGIN_INTERVALS_MOST = 3 };

static bool begins(struct side *side, const struct nt_snapshot *snapshot)
{
	bool told = snapshot->process_count && snapshot->processes[0].interval.cpu.usage_pct.known;
	side->begun |= told || side->left_out == BEGIN_INTERVALS_MOST;
	side->left_out += !side->begun;
	return !side->begun;
}

static bool take(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	struct side *side = context;
	side->said.realtime_offset_ns = nt_replayed_realtime_offset(replayed);
	if (snapshot->final || begins(side, snapshot))
		return true;
	uint64_t sample_ns = nt_replay_sample_ns(snapshot);
	side->sample_ns = sample_ns ? sample_ns : side->sample_ns;
	side->process_count = snapshot->process_count > side->process_count ? snapshot->process_count : side->process_count;
	nt_past_add(side->past, snapshot);
	return true;
}

static enum nt_status read_side(struct side *side, const char *path, const struct nt_when *from, const struct nt_when *to,
				struct nt_error *err)
{
	const struct nt_replayed_wish wish = { .for_screens = true, .from = from, .to = to };
	nt_time ignored;
	side->said.path = path;
	side->past = nt_past_new(&all_of_it);
	enum nt_status status = nt_replay_through(path, &wish, take, side, err);
	if (status != NT_OK)
		return status;
	const struct nt_past_reach reach = nt_past_reach(side->past);
	if (!reach.first || !nt_past_times(side->past, reach.first, &side->from, &ignored))
		return nt_error_set(err, NT_ERR_USAGE, "%s has no interval of that time: there is nothing to be compared", path);
	if (side->process_count > 1)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s is of %zu processes: one can be compared with another one", path,
				    side->process_count);
	side->to = reach.to;
	side->said.crowded = reach.crowded;
	return NT_OK;
}

/* Samples of another rate are not as many for the same time. */
static enum nt_status check_rates(const struct side *before, const struct side *after, struct nt_error *err)
{
	if (!before->sample_ns || !after->sample_ns || before->sample_ns == after->sample_ns)
		return NT_OK;
	return nt_error_set(err, NT_ERR_UNSUPPORTED,
			    "%s has %" PRIu64 " CPU samples a second and %s %" PRIu64 ": record both with the same -F", before->said.path,
			    NT_NS_PER_S / before->sample_ns, after->said.path, NT_NS_PER_S / after->sample_ns);
}

/* ---- types that have a part of their names in one of them ---- */

/* Is `own` a type's own name alone, and `whole` one that ends so? Which type is around it is told by the runtime's data, where somebody could read these. */
static bool is_part_of(const char *own, const char *whole)
{
	size_t length = strlen(own), whole_length = strlen(whole);
	return length && whole_length > length && !memchr(own, '.', strcspn(own, "<[")) && whole[whole_length - length - 1] == '.' &&
	       strcmp(whole + whole_length - length, own) == 0;
}

/* Has a span, in which nothing of the row is, a type that may be the same? */
static bool has_part(const struct nt_snapshot *span, const char *name)
{
	const struct nt_process_snapshot *process = &span->processes[0];
	for (size_t i = 0; i < process->allocation_count; i++) {
		const char *type = process->allocations[i].type;
		if (type && (is_part_of(type, name) || is_part_of(name, type)))
			return true;
	}
	return false;
}

/* What is in one of them under its whole name, and in the other under its own alone, has not come or gone. Returns how many rows that are; the others are in `out`, in their order. */
static size_t leave_out(const struct nt_snapshot *was, const struct nt_snapshot *is, struct nt_difference_row *out)
{
	const struct nt_difference *difference = &is->processes[0].difference;
	size_t kept = 0;
	for (size_t i = 0; i < difference->row_count; i++) {
		const struct nt_difference_row *row = &difference->rows[i];
		const struct nt_snapshot *without = !row->before_count ? was : !row->after_count ? is : NULL;
		bool of_types = row->kind == NT_DIFFER_BYTES || row->kind == NT_DIFFER_OBJECTS;
		if (!of_types || !without || !has_part(without, row->name))
			out[kept++] = *row;
	}
	return difference->row_count - kept;
}

/* ---- the file ---- */

struct job {
	const struct nt_options *options;
	const struct nt_diff *diff;
};

static void write_job(FILE *out, const void *context)
{
	const struct job *job = context;
	if (job->options->output == NT_OUTPUT_JSON)
		nt_diff_write_json(out, job->diff);
	else if (job->options->output == NT_OUTPUT_FLAMEGRAPH)
		nt_diff_write_flamegraph(out, job->diff);
	else
		nt_diff_write_text(out, job->diff);
}

static bool has_samples(const struct nt_snapshot *span)
{
	return span->processes[0].stacks.samples > 0;
}

static enum nt_status compare(const struct nt_options *options, struct side *before, struct side *after, struct nt_error *err)
{
	struct nt_snapshot *was = nt_past_span(before->past, before->from, before->to);
	struct nt_snapshot *is = nt_past_compare(before->past, before->from, before->to, after->past, after->from, after->to);
	enum nt_status status = NT_OK;
	bool both = was && is && was->process_count && is->process_count;
	if (both && options->output == NT_OUTPUT_FLAMEGRAPH && !(has_samples(was) && has_samples(is))) {
		status = nt_error_set(err, NT_ERR_UNSUPPORTED,
				      "one of the recordings has no CPU samples of that time: a flame graph has nothing to compare");
	} else if (both) {
		before->said.span = was;
		after->said.span = is;
		struct nt_difference *difference = &is->processes[0].difference;
		struct nt_difference_row *rows = nt_alloc((difference->row_count + 1) * sizeof(*rows));
		const struct nt_diff diff = { .before = before->said, .after = after->said, .left_out = leave_out(was, is, rows) };
		const struct job job = { .options = options, .diff = &diff };
		difference->rows = rows;
		difference->row_count -= diff.left_out;
		status = nt_new_file_write(options->output_path, write_job, &job, err);
		difference->row_count = 0;
		free(rows);
	} else {
		status = nt_error_set(err, NT_ERR_USAGE, "one of the recordings has nothing of that time: there is nothing to be compared");
	}
	nt_snapshot_release(was);
	nt_snapshot_release(is);
	return status;
}

static enum nt_status diff(const struct nt_options *options, struct nt_error *err)
{
	struct side before = { 0 }, after = { 0 };
	enum nt_status status = read_side(&before, options->target, &options->before_from, &options->before_to, err);
	if (status == NT_OK)
		status = read_side(&after, options->after_path, &options->from, &options->to, err);
	if (status == NT_OK)
		status = check_rates(&before, &after, err);
	if (status == NT_OK)
		status = compare(options, &before, &after, err);
	nt_past_free(before.past);
	nt_past_free(after.past);
	return status;
}

int nt_diff_command(struct nt_options *options, struct nt_error *err)
{
	if (!options->target || !options->after_path)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which recordings? nettop diff BEFORE AFTER"));
	enum nt_status status = nt_new_file_check(options->output_path, err);
	return nt_exit_of(status == NT_OK ? diff(options, err) : status);
}
