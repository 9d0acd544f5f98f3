// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/events_stacks.h"

#include "app/common/exit.h"
#include "app/show/headless.h"
#include "app/show/watch.h"
#include "base/alloc.h"
#include "nettop/column.h"
#include "output/events/event_line.h"
#include "source/common/price.h"

#include <stdlib.h>
#include <string.h>

static const nt_time interval_ns = 200 * NT_NS_PER_MS;
static const char none[] = "no stack: the runtime gave none with it", not_kept[] = "no stack: too many came at once for all to be kept";

/*
 * Names come some time after the first event from a piece of code: a line waits for them, as long as its stack is kept, for GRACE_MS; at the begin, when files and lists are read, for FIRST_MS. KEPT:
 * behind so many others it waits no longer, because an interval brings four times as many.
 */
enum { GRACE_MS = 600, FIRST_MS = 4000, KEPT = 200 };

/* A line that waits to be written; its text is in `out` of its list. */
struct waiting {
	uint64_t number; /* of the event; 0 = it is none, and has no stack */
	uint64_t row;    /* its id; 0 = it has none any more */
	nt_time since;   /* it has a row since then */
	size_t length;
};

/* Lines, one behind the other. */
struct list {
	struct nt_event_lines lines;
	struct waiting *items; /* owned */
	size_t count, capacity;
};

struct work {
	const struct nt_options *options;
	struct list heard, rows; /* of events that have no row yet; in the order of the rows, what is not written yet */
	struct nt_event_lines lines;
	nt_time began;  /* they are told since then; 0 = not yet */
	uint64_t count; /* of events: written */
	uint64_t lost;
	bool lost_some;
	struct nt_error err; /* why nothing is told any more; no status = it is */
};

static bool is_enough(const void *context)
{
	const struct work *work = context;
	return work->err.status != NT_OK || ferror(stdout) ||
	       (work->options->interval_count && work->count >= work->options->interval_count);
}

/* What was put behind the text that had so many bytes is a line of its own. */
static struct waiting *add(struct list *list, size_t before)
{
	list->items = nt_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	struct waiting *added = &list->items[list->count++];
	*added = (struct waiting){ .length = list->lines.out.length - before };
	return added;
}

static void list_fini(struct list *list)
{
	nt_event_lines_fini(&list->lines);
	free(list->items);
}

static void remove_first(struct list *list, size_t count, size_t bytes)
{
	list->count -= count;
	list->lines.out.length -= bytes;
	if (list->count)
		memmove(list->items, list->items + count, list->count * sizeof(*list->items));
	if (list->lines.out.length)
		memmove(list->lines.out.bytes, list->lines.out.bytes + bytes, list->lines.out.length);
}

static void hear(void *context, const struct nt_told_event *event, uint64_t number)
{
	struct list *heard = &((struct work *)context)->heard;
	size_t before = heard->lines.out.length;
	nt_event_lines_add(&heard->lines, event);
	add(heard, before)->number = number;
}

/* ---- rows ---- */

/* The event of this row, and those before it: these have no row any more, because too much came in the interval. */
static void take_event(struct work *work, const struct nt_told_row *row, nt_time since)
{
	struct list *heard = &work->heard, *rows = &work->rows;
	size_t taken = 0, bytes = 0;
	while (taken < heard->count && heard->items[taken].number <= row->number) {
		const struct waiting *item = &heard->items[taken++];
		size_t before = rows->lines.out.length;
		nt_text_put_bytes(&rows->lines.out, heard->lines.out.bytes + bytes, item->length);
		struct waiting *added = add(rows, before);
		added->number = item->number;
		added->row = item->number == row->number ? row->id : 0;
		added->since = since;
		bytes += item->length;
	}
	remove_first(heard, taken, bytes);
}

static void take_row(struct work *work, const struct nt_told_row *row, nt_time since)
{
	struct nt_event_lines *lines = &work->rows.lines;
	size_t before = lines->out.length;
	if (row->kind == NT_TOLD_ROW_EVENT) {
		take_event(work, row, since);
		return;
	}
	if (row->kind == NT_TOLD_ROW_MORE)
		nt_event_lines_add_more(lines, row->count, row->time);
	else if (row->count)
		nt_event_lines_add_lost(lines, row->count, row->time);
	else
		nt_event_lines_add_said(lines, row->fields, row->time);
	add(&work->rows, before);
	work->lost += row->kind == NT_TOLD_ROW_LOST ? row->count : 0;
	work->lost_some |= row->kind == NT_TOLD_ROW_LOST && !row->count;
}

/* ---- their stacks ---- */

/* An address in place of a name. */
static bool lacks_a_name(const struct nt_call_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (stack->frames[i].name[0] == '[')
			return true;
	return false;
}

/* The place of a row's stack among those of the snapshot, which are in the order of the rows; their number = it has none. */
static size_t stack_of(const struct nt_told *told, uint64_t row, size_t from)
{
	while (from < told->stack_count && told->stacks[from].id < row)
		from++;
	return from < told->stack_count && told->stacks[from].id == row ? from : told->stack_count;
}

static bool may_wait(const struct work *work, const struct nt_snapshot *snapshot, const struct waiting *item)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_told *told = &process->told;
	uint64_t newest = told->row_count ? told->rows[told->row_count - 1]->id : item->row;
	bool first = item->since < work->began + FIRST_MS * NT_NS_PER_MS;
	return !snapshot->final && !process->target.ended && newest < item->row + KEPT &&
	       snapshot->t1 < item->since + (first ? FIRST_MS : GRACE_MS) * NT_NS_PER_MS;
}

/* Those that have their names, or get none any more; none before the one before it. */
static void write_those_that_are_ready(struct work *work, const struct nt_snapshot *snapshot)
{
	const struct nt_told *told = &snapshot->processes[0].told;
	struct list *rows = &work->rows;
	size_t written = 0, bytes = 0, place = 0;
	for (; written < rows->count && !is_enough(work); written++) {
		const struct waiting *item = &rows->items[written];
		place = item->row ? stack_of(told, item->row, place) : place;
		const struct nt_call_stack *stack = item->row && place < told->stack_count ? told->stacks[place].stack : NULL;
		if (stack && lacks_a_name(stack) && may_wait(work, snapshot, item))
			break;
		nt_text_put_bytes(&work->lines.out, rows->lines.out.bytes + bytes, item->length);
		if (item->number)
			nt_event_lines_add_stack(&work->lines, stack, item->row && told->stack_count < NT_TOLD_STACKS ? none : not_kept);
		work->count += item->number != 0;
		bytes += item->length;
	}
	remove_first(rows, written, bytes);
	fwrite(work->lines.out.bytes, 1, work->lines.out.length, stdout);
	work->lines.out.length = 0;
	fflush(stdout);
}

/* It was refused, was ended because it cost too much, or there is no port. */
static void see_refusal(struct work *work, const struct nt_process_snapshot *process)
{
	const struct nt_why *why = &process->interval.told.why;
	if (!why->reason || process->target.ended)
		return;
	work->err.status = NT_ERR_UNSUPPORTED;
	nt_error_set(&work->err, NT_ERR_UNSUPPORTED, "%s", why->reason);
	nt_error_set_fix(&work->err, why->fix ? why->fix : "");
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	if (!work->began && process->told.state == NT_TELLING_ON) {
		fputs("nettop: watching\n", stderr);
		work->began = snapshot->t1;
	}
	for (size_t i = 0; i < process->told.row_count; i++)
		if (process->told.rows[i]->id >= process->told.fresh_from)
			take_row(work, process->told.rows[i], snapshot->t1);
	write_those_that_are_ready(work, snapshot);
	see_refusal(work, process);
}

static void tell_price(void)
{
	char price[32];
	fprintf(stderr, "nettop: each event with its call stack costs the process some %s, more where it is large or deep\n",
		nt_format_duration((nt_time)(nt_price_of(NT_PRICE_EVENTPIPE, 1) + nt_price_of(NT_PRICE_EVENTPIPE_STACK, 1)), price,
				   sizeof(price)));
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	const struct nt_told_ear ear = { .context = work, .hear = hear };
	bool as_json = work->options->output == NT_OUTPUT_JSON;
	setup->sink = take;
	setup->sink_context = work;
	setup->told_ear = &ear;
	nt_event_lines_init(&work->heard.lines, as_json, nt_clock_realtime_offset());
	nt_event_lines_init(&work->rows.lines, as_json, nt_clock_realtime_offset());
	nt_event_lines_init(&work->lines, as_json, nt_clock_realtime_offset());
	tell_price();
	int exit_status = nt_headless_run(setup, is_enough, work, err);
	if (work->lost)
		fprintf(stderr, "nettop: %llu events lost: the process had no room for them\n", (unsigned long long)work->lost);
	if (work->lost_some)
		fputs("nettop: and events lost, nobody knows how many\n", stderr);
	list_fini(&work->heard);
	list_fini(&work->rows);
	nt_event_lines_fini(&work->lines);
	if (exit_status == NT_EXIT_TARGET_ENDED)
		nt_error_set(err, NT_ERR_GONE, "the process has ended");
	return exit_status;
}

/* As they are typed on the screen. */
static enum nt_status choose(struct nt_options *options, const char *const *words, size_t count, struct nt_error *err)
{
	struct nt_events_choice choice;
	size_t used = 0;
	for (size_t i = 0; i <= count; i++) {
		const char *word = i < count ? words[i] : "stacks";
		if (strpbrk(word, " \t"))
			return nt_error_set(err, NT_ERR_USAGE, "--stacks with -e '%s': its arguments have a blank", word);
		int length = snprintf(options->event_choice + used, sizeof(options->event_choice) - used, "%s%s", used ? " " : "", word);
		used += (size_t)length;
		if (used >= sizeof(options->event_choice))
			return nt_error_set(err, NT_ERR_USAGE, "too long a choice of events for --stacks: at most %zu bytes",
					    sizeof(options->event_choice) - 1);
	}
	return nt_events_choice_parse(options->event_choice, &choice, err);
}

int nt_events_stacks(struct nt_options *options, const char *const *words, size_t count, struct nt_error *err)
{
	struct work work = { .options = options };
	const struct nt_show show = { .run = watch, .context = &work };
	enum nt_status status = choose(options, words, count, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	options->source_mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_CODEMAP | 1u << NT_SOURCE_RUNTIME |
			       1u << NT_SOURCE_EVENTPIPE;
	options->delay_ns = interval_ns;
	if (options->output == NT_OUTPUT_SCREEN)
		options->output = NT_OUTPUT_TEXT;
	int exit_status = nt_watch_with(options, &show, err);
	if (work.err.status == NT_OK)
		return exit_status;
	*err = work.err;
	return nt_exit_of(work.err.status);
}
