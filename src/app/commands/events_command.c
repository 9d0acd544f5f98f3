// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/events_command.h"

#include "app/common/events_feed.h"
#include "app/commands/events_stacks.h"
#include "app/commands/gc_log.h"
#include "app/common/exit.h"
#include "app/loop/loop.h"
#include "app/loop/signals.h"
#include "app/show/watch.h"
#include "base/signal_to.h"
#include "decode/eventpipe/clr_shapes.h"
#include "nettop/column.h"
#include "output/events/event_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * While events come the stream is looked at now and then: the runtime sends it in pieces of a few bytes, and to be woken by each of them costs more than to read them. It writes ten times a second, so
 * a look that comes more often finds nothing half the time. When very much came at once, there may be more that waits.
 */
enum { LOOK_MS = 100, FLOOD_MS = 5, END_MS = 5000, PIECE_BYTES = 256 << 10 };

struct work {
	const struct nt_options *options;
	struct nt_events_named named;
	struct nt_event_lines lines;
	uint64_t count;    /* written */
	uint64_t lost;     /* of sessions that are over */
	bool lost_unknown; /* and some that nobody counted */
	nt_time began;     /* the first one was there; 0 = not yet */
	bool enough;
	bool stopped; /* by Ctrl-Z: to go on with another session */
};

/* As they were given, and as the sources and names that were chosen say them. */
struct words {
	const char *all[NT_EVENT_PATTERNS_MAX]; /* borrowed */
	size_t count;
	char *chosen[NT_EVENT_PATTERNS_MAX]; /* owned */
	size_t chosen_count;
};

/* ---- what there is ---- */

static void list_shapes(void)
{
	puts("clr, the runtime (.NET 10): LEVEL, KEYWORDS, EVENT and its fields");
	for (size_t i = 0; i < nt_clr_shape_count; i++) {
		const struct nt_clr_shape *shape = &nt_clr_shapes[i];
		printf("%" PRIu32 " 0x%-11" PRIx64 " clr/%s", shape->level, shape->keywords, shape->name);
		for (uint32_t k = 0; k < shape->field_count; k++)
			printf(" %s", shape->fields[k].name);
		putchar('\n');
	}
	puts("and those of each EventSource of the program and its libraries, by its name");
}

/* ---- one line each ---- */

static void write_lines(struct work *work)
{
	fwrite(work->lines.out.bytes, 1, work->lines.out.length, stdout);
	work->lines.out.length = 0;
	fflush(stdout);
}

static void write_event(void *context, const struct nt_told_event *event)
{
	struct work *work = context;
	if (work->enough)
		return;
	nt_event_lines_add(&work->lines, event);
	work->count++;
	work->enough = work->options->interval_count && work->count >= work->options->interval_count;
	if (work->lines.out.length > PIECE_BYTES)
		write_lines(work);
}

static void write_loss(void *context, uint64_t count, nt_time time)
{
	struct work *work = context;
	nt_event_lines_add_lost(&work->lines, count, time);
}

static void write_some_lost(void *context, nt_time time)
{
	struct work *work = context;
	work->lost_unknown = true;
	nt_event_lines_add_some_lost(&work->lines, time);
}

/* ---- following ---- */

/* Has whoever reads seen enough, or has somebody ended it, or is the time over? */
static bool is_over(const struct work *work, nt_time now)
{
	nt_time duration = work->options->duration_ns;
	return work->enough || ferror(stdout) || (duration && work->began && now >= work->began + duration);
}

/* True: somebody ends it, or stops it. A session that nobody reads would do harm to the process, so it ends for a stop, too. */
static bool is_signalled(struct work *work, struct nt_loop *loop)
{
	bool ends = false;
	work->stopped = false;
	for (int signal; (signal = nt_loop_signal(loop));) {
		ends |= nt_signals_ends(signal);
		work->stopped |= signal == SIGTSTP;
	}
	work->stopped &= !ends;
	return ends || work->stopped;
}

/* It is said once that all that happens is told from now on: scripts wait for it. */
static void tell_begin(const struct nt_events_feed *feed)
{
	char price[32];
	fprintf(stderr, "nettop: watching; each event costs the process some %s, more where it is large\n",
		nt_format_duration((nt_time)nt_events_feed_event_ns(feed), price, sizeof(price)));
}

/* Be woken by this descriptor in place of that one; -1: by none. Returns which one it is. */
static int watch_stream(struct nt_loop *loop, int watched, int fd)
{
	if (fd == watched)
		return watched;
	if (watched >= 0)
		nt_loop_unwatch(loop, watched);
	return fd >= 0 && nt_loop_watch(loop, fd, NULL) == NT_OK ? fd : -1;
}

/* Each sentence once. */
static void tell_what_it_says(const struct nt_events_feed *feed, char told[NT_ERROR_TEXT])
{
	const char *says = nt_events_feed_says(feed);
	if (*says && strncmp(told, says, NT_ERROR_TEXT - 1) != 0)
		fprintf(stderr, "nettop: %s\n", says);
	if (*says)
		snprintf(told, NT_ERROR_TEXT, "%s", says);
}

static enum nt_status follow(struct nt_events_feed *feed, struct work *work, struct nt_loop *loop, struct nt_error *err)
{
	nt_time ending = 0;
	bool began = false;
	char told[NT_ERROR_TEXT] = ""; /* what the feed says of itself */
	int watched = -1;              /* the descriptor that wakes us */
	enum nt_status status;
	for (;;) {
		nt_time now = nt_clock_now();
		uint64_t came = nt_events_feed_came(feed);
		status = nt_events_feed_advance(feed, now, err);
		write_lines(work);
		tell_what_it_says(feed, told);
		if (status != NT_AGAIN)
			break;
		if (!began && nt_events_feed_began(feed)) {
			began = true;
			if (work->began)
				fputs("nettop: watching again\n", stderr);
			else
				tell_begin(feed);
			work->began = work->began ? work->began : now;
		}
		came = nt_events_feed_came(feed) - came;
		watched = watch_stream(loop, watched, came ? -1 : nt_events_feed_fd(feed));
		if (!ending && is_over(work, now)) {
			ending = now;
			if (!began || !nt_events_feed_stop(feed, now))
				break;
		}
		if (ending && now > ending + END_MS * NT_NS_PER_MS)
			break;
		nt_loop_wake_at(loop, now + (came > nt_events_feed_flood(feed) ? FLOOD_MS : LOOK_MS) * NT_NS_PER_MS);
		if (nt_loop_wait(loop) & NT_WAKE_SIGNAL && !ending && is_signalled(work, loop)) {
			ending = now;
			if (!began || !nt_events_feed_stop(feed, now))
				break;
		}
	}
	watch_stream(loop, watched, -1);
	/* An end that was asked for is one, however it comes. */
	if (ending && (status == NT_AGAIN || status == NT_END || status == NT_ERR_GONE))
		return NT_OK;
	return status == NT_END ? nt_error_set(err, NT_ERR_GONE, "the process has ended") : status;
}

/* One session, to its end. */
static enum nt_status watch_once(struct work *work, const struct nt_target *target, const struct nt_source_config *config,
				 struct nt_loop *loop, struct nt_error *err)
{
	const struct nt_lttng_told_sink sink = { .context = work, .event = write_event, .lost = write_loss, .some_lost = write_some_lost };
	struct nt_events_feed *feed = NULL;
	enum nt_status status = nt_events_feed_open(target, config, &work->named, &sink, nt_clock_now(), &feed, err);
	work->stopped = false;
	if (status == NT_OK)
		status = follow(feed, work, loop, err);
	work->lost += feed ? nt_events_feed_lost(feed) : 0;
	nt_events_feed_close(feed);
	return status;
}

static void stop_like_any_program(struct work *work)
{
	nt_time from = nt_clock_now();
	nt_signal_process(getpid(), SIGSTOP);
	nt_event_lines_add_gap(&work->lines, from, nt_clock_now());
	write_lines(work);
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	const struct nt_source_config config = nt_session_config(setup);
	struct nt_loop *loop = NULL;
	nt_event_lines_init(&work->lines, work->options->output == NT_OUTPUT_JSON, nt_clock_realtime_offset());
	enum nt_status status = nt_loop_new(&loop, err);
	/* Lines are gathered here; a buffer behind them would have each gathering be three writes. */
	setvbuf(stdout, NULL, _IONBF, 0);
	if (status == NT_OK)
		status = watch_once(work, setup->target, &config, loop, err);
	while (status == NT_OK && work->stopped) {
		stop_like_any_program(work);
		status = watch_once(work, setup->target, &config, loop, err);
	}
	if (work->lost)
		fprintf(stderr, "nettop: %" PRIu64 " events lost: the process had no room for them\n", work->lost);
	if (work->lost_unknown)
		fputs("nettop: and events lost, nobody knows how many\n", stderr);
	nt_loop_free(loop);
	nt_event_lines_fini(&work->lines);
	return nt_exit_of(status);
}

/* The words of -e, --event-source and --event-name. */
static enum nt_status take_words(struct words *words, const struct nt_options *options, struct nt_error *err)
{
	enum nt_status status = nt_event_patterns_choose(options->event_sources, options->event_source_count, options->event_names,
							 options->event_name_count, words->chosen, &words->chosen_count, err);
	if (status == NT_OK && words->chosen_count + options->event_count > NT_EVENT_PATTERNS_MAX)
		status = nt_error_set(err, NT_ERR_USAGE, "-e, --event-source and --event-name name too many events: at most %d at once",
				      NT_EVENT_PATTERNS_MAX);
	for (size_t i = 0; status == NT_OK && i < options->event_count; i++)
		words->all[words->count++] = options->events[i];
	for (size_t i = 0; status == NT_OK && i < words->chosen_count; i++)
		words->all[words->count++] = words->chosen[i];
	return status;
}

static void free_words(struct words *words)
{
	while (words->chosen_count)
		free(words->chosen[--words->chosen_count]);
}

static enum nt_status take_patterns(struct work *work, const struct words *words, struct nt_error *err)
{
	enum nt_status status = NT_OK;
	for (size_t i = 0; status == NT_OK && i < words->count; i++)
		status = nt_lttng_is_chosen(words->all[i])
				 ? nt_lttng_chosen_add(&work->named.lttng, words->all[i], err)
				 : nt_event_pattern_parse(words->all[i], &work->named.patterns[work->named.pattern_count++], err);
	if (status == NT_OK && work->named.lttng.count && work->named.pattern_count)
		status = nt_error_set(err, NT_ERR_USAGE,
				      "-e lttng/... and others: events come over LTTng or over EventPipe, not both at once");
	if (status == NT_OK && work->named.lttng.count && work->options->event_stacks)
		status = nt_error_set(err, NT_ERR_USAGE,
				      "--stacks: LTTng-UST has no call stacks for its events; clr/... in place of lttng/... has them");
	return status;
}

static bool wants_list(const struct nt_options *options)
{
	for (size_t i = 0; i < options->event_count; i++)
		if (strcmp(options->events[i], "list") == 0)
			return true;
	return false;
}

static bool names_any(const struct nt_events_named *named)
{
	return named->pattern_count || named->lttng.count;
}

/* Not everything that a pattern names is asked for: said before the session is there. */
static void tell_left_out(const struct nt_events_named *named)
{
	static const struct nt_lttng_chosen no_lttng; /* these may be many: below */
	char note[NT_EVENTS_CHOICE_TEXT];
	if (*nt_events_choice_note(named->patterns, named->pattern_count, &no_lttng, note, sizeof(note)))
		fprintf(stderr, "nettop: %s\n", note);
	struct nt_text_buffer text = { 0 };
	nt_lttng_chosen_put_left_out(&named->lttng, &text);
	if (text.length)
		fprintf(stderr, "nettop: %.*s\n", (int)text.length, text.bytes);
	free(text.bytes);
}

static enum nt_status check(const struct work *work, struct nt_error *err)
{
	const struct nt_options *options = work->options;
	if (!options->target)
		return nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop events -p PID -e 'clr/GC*'");
	if (options->as_gc_log && (names_any(&work->named) || options->event_stacks))
		return nt_error_set(err, NT_ERR_USAGE, "--as gclog is in place of events that are named: one of them");
	if (!options->as_gc_log && !names_any(&work->named))
		return nt_error_set(err, NT_ERR_USAGE,
				    "which events? -e 'clr/GC*', -e System.Net.Http, -e log; -e list has those of the runtime");
	return NT_OK;
}

static int follow_them(struct work *work, struct nt_options *options, const struct words *words, struct nt_error *err)
{
	const struct nt_show show = { .run = watch, .context = work };
	tell_left_out(&work->named);
	if (options->event_stacks)
		return nt_events_stacks(options, words->all, words->count, err);
	return options->as_gc_log ? nt_gc_log(options, err) : nt_watch_with(options, &show, err);
}

int nt_events_command(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options };
	struct words words = { .count = 0 };
	if (wants_list(options)) {
		list_shapes();
		return NT_EXIT_OK;
	}
	enum nt_status status = take_words(&words, options, err);
	if (status == NT_OK)
		status = take_patterns(&work, &words, err);
	if (status == NT_OK)
		status = check(&work, err);
	int exit_status = status == NT_OK ? follow_them(&work, options, &words, err) : nt_exit_of(status);
	free_words(&words);
	return exit_status;
}
