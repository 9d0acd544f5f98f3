// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_worker.h"

#include "base/alloc.h"
#include "source/lttng/lttng_connection.h"
#include "source/lttng/lttng_harm.h"
#include "source/lttng/lttng_pace.h"
#include "target/common/other_users.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

enum {
	REST_MS = 100, /* after "nothing now": the live period; each turn is four system calls here and four in the relay */
	HURRY_MS = 10, /* the same while somebody waits: for the first event, and for the end */
	HELD_MS = 100, /* while the program's events are not declared yet: a look makes the daemon ask every process for its tracepoints */
	ROUNDS_MAX = 64,   /* calls of the viewer between two looks at the orders */
	ROOM_MS = 5,       /* the main thread has all batches */
	SILENCE_MS = 5000, /* a session that started sends its first sign of life after one live period */
	DRAIN_MS = 3000,   /* the end of the stream comes within two live periods, or not at all */
};

struct worker {
	struct nt_lttng_connection connection;
	struct nt_lttng_pace pace;
	bool has_delivered; /* ever */
	bool delivers;      /* on this connection */
	bool lack_told;     /* on this connection, that somebody's session lacks a context */
	bool harm_judged;   /* on this connection, what the exceptions of somebody's session can do to the target */
	bool harms;
	struct nt_lttng_harm harm;
	nt_time gap_from;    /* up to here everything had been delivered when the last connection was lost */
	nt_time drain_until; /* everything before this is to be delivered before the end; 0 = not draining */
	nt_time drain_deadline;
	char told[2 * NT_ERROR_TEXT]; /* the last reason given: a retry does not say it again */
};

static struct nt_lttng_link *link_of(struct worker *worker)
{
	return worker->connection.link;
}

/* States and gaps must not get lost because the main thread is slow: wait for room. False: nobody listens any more. */
static bool have_room(struct worker *worker)
{
	struct nt_lttng_link *link = link_of(worker);
	while (!nt_lttng_out_room(&link->out)) {
		if (atomic_load(&link->order) == NT_LTTNG_GIVE_UP)
			return false;
		poll(NULL, 0, ROOM_MS);
	}
	return true;
}

static void tell(struct worker *worker, enum nt_source_state state, const char *reason, const char *fix)
{
	if (have_room(worker))
		nt_lttng_out_state(&link_of(worker)->out, nt_clock_now(), state, reason, fix);
	snprintf(worker->told, sizeof(worker->told), "%s", reason);
}

/* What came between the loss of a connection and `until` is missing, and nobody counted it. */
static void tell_gap(struct worker *worker, nt_time until)
{
	const struct nt_ev_lost gap = { .what = NT_LOST_GAP, .from = worker->gap_from };
	if (worker->gap_from && have_room(worker))
		nt_lttng_out_lost(&link_of(worker)->out, &gap, until);
	worker->gap_from = 0;
}

static void tell_cover(struct worker *worker, bool covered, nt_time time)
{
	if (have_room(worker))
		nt_lttng_out_cover(&link_of(worker)->out, covered, time);
}

static void tell_error(struct worker *worker, enum nt_source_state state, const struct nt_error *err)
{
	char text[2 * NT_ERROR_TEXT];
	nt_error_reason(err, text, sizeof(text));
	if (strcmp(text, worker->told) != 0)
		tell(worker, state, text, err->fix);
}

static enum nt_source_state waiting_state(const struct worker *worker)
{
	return worker->has_delivered ? NT_STATE_STALLED : NT_STATE_STARTING;
}

static void say(void *context, const char *sentence)
{
	struct worker *worker = context;
	tell(worker, waiting_state(worker), sentence, "");
}

#define SHOWN                                                                                                                              \
	"other users of this host can read these events, too, at the relay's port on 127.0.0.1; with --prefer eventpipe there is no such " \
	"port"

/* The relay of our own session; whoever made another one has arranged for its readers. */
static bool is_shown_to_others(struct worker *worker)
{
	return !link_of(worker)->foreign_session && nt_host_has_other_users("");
}

/* The first message after the start proves that all of the way works; from started_at on, nothing is missed. */
static void note_delivery(struct worker *worker)
{
	struct nt_lttng_out *out = &link_of(worker)->out;
	nt_time since = worker->connection.started_at;
	if (worker->delivers || out->delivered_until < since)
		return;
	worker->delivers = worker->has_delivered = true;
	worker->connection.early = false;
	worker->lack_told = worker->harm_judged = worker->harms = false;
	nt_lttng_pace_reset(&worker->pace);
	tell_gap(worker, since);
	tell_cover(worker, true, since);
	tell(worker, NT_STATE_DELIVERING, is_shown_to_others(worker) ? SHOWN : "", "");
}

/* It delivers, but: what is told last stays, so both are told together, and the fix is that of the worse. */
static void tell_flaws(struct worker *worker)
{
	static const char lack[] = "events of the LTTng session do not say to which process they belong, and are left out";
	const char *harm = worker->harms ? worker->harm.reason : "";
	char text[sizeof(lack) + 2 + sizeof(worker->harm.reason)];
	snprintf(text, sizeof(text), "%s%s%s", harm, worker->harms && worker->lack_told ? "; " : "", worker->lack_told ? lack : "");
	tell(worker, NT_STATE_DELIVERING, text,
	     worker->harms ? worker->harm.fix : "lttng add-context --userspace --type=vpid --type=vtid --type=pid_ns");
}

/* Only somebody else's session can lack what ours has, or have what ours never enables. */
static void note_flaws(struct worker *worker)
{
	const struct nt_lttng_link *link = link_of(worker);
	const struct nt_lttng_decoder *decoder = worker->connection.decoder;
	if (!worker->delivers)
		return;
	bool lacks = !worker->lack_told && nt_lttng_decoder_lacks_vpid(decoder);
	worker->lack_told |= lacks;
	bool harms = false;
	const struct nt_lttng_watched *only = &link->watched.items[0];
	if (link->foreign_session && only->pid && !worker->harm_judged && nt_lttng_decoder_has_exceptions(decoder)) {
		worker->harm_judged = true;
		harms = worker->harms = nt_lttng_harm_of_exceptions(link->foreign_session, only->pid, link->uid, &worker->harm);
	}
	if (lacks || harms)
		tell_flaws(worker);
}

static void give_up(void *context, struct nt_lttng_watched *watched, const char *reason)
{
	struct worker *worker = context;
	if (have_room(worker))
		nt_lttng_out_end(&link_of(worker)->out, watched, NT_STATE_ABSENT, reason, nt_clock_now());
	watched->over = true;
}

/* Of several processes those that have ended, and of which everything has come. The last one's end is the stream's. */
static void tell_ends(struct worker *worker)
{
	struct nt_lttng_link *link = link_of(worker);
	char text[48];
	for (size_t i = 0; i < link->watched.count; i++) {
		struct nt_lttng_watched *watched = &link->watched.items[i];
		if (!watched->ended || watched->over || link->out.delivered_until < watched->ended ||
		    nt_lttng_watched_all_ended(&link->watched))
			continue;
		snprintf(text, sizeof(text), "process %u has ended", watched->pid);
		if (have_room(worker))
			nt_lttng_out_end(&link->out, watched, NT_STATE_ENDED, text, watched->ended);
		watched->over = true;
	}
}

static void begin_draining(struct worker *worker)
{
	if (worker->connection.session)
		nt_lttng_session_stop(worker->connection.session, NULL); /* when that fails, the time below is still right */
	worker->connection.draining = true;
	worker->drain_until = nt_clock_now();
	worker->drain_deadline = worker->drain_until + DRAIN_MS * NT_NS_PER_MS;
}

static void obey_demand(struct worker *worker)
{
	struct nt_lttng_connection *connection = &worker->connection;
	bool wanted = atomic_load(&link_of(worker)->demand) & NT_WANT_ALLOC_SAMPLES;
	if (connection->session && wanted != connection->alloc_on &&
	    nt_lttng_session_want_alloc(connection->session, wanted, NULL) == NT_OK)
		connection->alloc_on = wanted;
}

/* Ask the viewer until it has nothing now. */
static enum nt_status read_some(struct worker *worker, struct nt_error *err)
{
	struct nt_lttng_link *link = link_of(worker);
	enum nt_status status = NT_OK;
	for (int i = 0; i < ROUNDS_MAX && status == NT_OK; i++)
		status = nt_lttng_view(&worker->connection, err);
	note_delivery(worker);
	note_flaws(worker);
	tell_ends(worker);
	nt_lttng_out_flush(&link->out);
	return status;
}

/* From when on somebody should have been heard; NT_TIME_UNKNOWN = nobody need be there yet. */
static nt_time quiet_since(const struct nt_lttng_connection *connection)
{
	nt_time running_since = atomic_load(&connection->link->running_since);
	if (!connection->early)
		return connection->started_at;
	return running_since ? running_since : NT_TIME_UNKNOWN;
}

/* Nothing at all came since the start: LTTng got no memory for its buffers, or the relay lost sight of the viewer. A new session may help. */
static enum nt_status check_silence(struct worker *worker, struct nt_error *err)
{
	struct nt_lttng_connection *connection = &worker->connection;
	nt_time since = quiet_since(connection);
	if (worker->delivers || connection->draining || since == NT_TIME_UNKNOWN || nt_clock_now() < since + SILENCE_MS * NT_NS_PER_MS)
		return NT_OK;
	connection->early = false;
	if (connection->session)
		return nt_error_set(err, NT_ERR_TIMEOUT, "LTTng sends nothing, not even a sign of life; is there room in /dev/shm?");
	if (!worker->told[0])
		tell(worker, NT_STATE_STARTING, "the LTTng session sends nothing, not even a sign of life", "lttng start");
	return NT_OK;
}

/* Until the connection is lost (an error), or all is delivered that was to be (NT_END). */
static enum nt_status read_stream(struct worker *worker, struct nt_error *err)
{
	struct nt_lttng_connection *connection = &worker->connection;
	for (;;) {
		obey_demand(worker);
		bool may_view = nt_lttng_may_view(connection);
		enum nt_status status = may_view ? read_some(worker, err) : NT_AGAIN;
		if (status != NT_OK && status != NT_AGAIN)
			return nt_lttng_diagnose(connection, status, err);
		if (check_silence(worker, err) != NT_OK)
			return nt_lttng_diagnose(connection, NT_ERR_TIMEOUT, err);
		if (connection->draining && link_of(worker)->out.delivered_until >= worker->drain_until)
			return NT_END;
		if (connection->draining && nt_clock_now() > worker->drain_deadline)
			return nt_error_set(err, NT_ERR_TIMEOUT, "the LTTng relay did not deliver the end of the trace");
		int rest_ms = !may_view ? HELD_MS : worker->delivers && !connection->draining ? REST_MS : HURRY_MS;
		status = nt_lttng_wait(connection, status == NT_AGAIN ? rest_ms : 0, err);
		if (status == NT_END && !connection->draining && atomic_load(&link_of(worker)->order) != NT_LTTNG_GIVE_UP)
			begin_draining(worker);
		else if (status != NT_OK)
			return status;
	}
}

/*
 * The connection is lost, or could not be made: remember from when on events are missing, say why. That some are is said at once: whoever watches may come to an end before there is another
 * connection.
 */
static void note_failure(struct worker *worker, const struct nt_error *err)
{
	struct nt_lttng_out *out = &link_of(worker)->out;
	nt_time now = nt_clock_now();
	if (worker->delivers && !worker->gap_from) {
		worker->gap_from = out->delivered_until;
		tell_gap(worker, now);
		worker->gap_from = now;
	}
	if (worker->delivers)
		tell_cover(worker, false, out->delivered_until);
	worker->delivers = false;
	tell_error(worker, waiting_state(worker), err);
}

/* The last word. A stream that broke before its end lost something. */
static void say_end(struct worker *worker, enum nt_status status, const struct nt_error *err)
{
	bool missed = worker->gap_from != 0;
	if (missed)
		atomic_store_explicit(&link_of(worker)->out.counters.end_missed, true, memory_order_relaxed);
	tell_gap(worker, nt_clock_now());
	if (worker->delivers)
		tell_cover(worker, false, link_of(worker)->out.delivered_until);
	if (status < 0 && !worker->drain_until) {
		worker->told[0] = '\0'; /* the same reason, but for good */
		tell_error(worker, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT, err);
		return;
	}
	char text[128] = "";
	const struct nt_lttng_watched_list *list = &link_of(worker)->watched;
	if (list->count == 1 && list->items[0].ended)
		snprintf(text, sizeof(text), "process %u has ended%s", list->items[0].pid,
			 missed ? "; the LTTng relay did not deliver the end of its trace" : "");
	tell(worker, NT_STATE_ENDED, text, "");
}

static bool is_permanent(enum nt_status status)
{
	return status == NT_ERR_FORBIDDEN || status == NT_ERR_ABSENT || status == NT_ERR_UNSUPPORTED;
}

/* Connect and read, again and again. Returns NT_END, or an error that will not go away. */
static enum nt_status work(struct worker *worker, struct nt_error *err)
{
	struct nt_lttng_connection *connection = &worker->connection;
	for (;;) {
		enum nt_status status = nt_lttng_connect(connection, err);
		if (status == NT_OK)
			status = read_stream(worker, err);
		if (status == NT_END)
			return status;
		note_failure(worker, err);
		if (is_permanent(status) || connection->draining)
			return status;
		nt_lttng_disconnect(connection);
		if (nt_lttng_wait(connection, (int)nt_lttng_pace_next(&worker->pace), err) == NT_END)
			return NT_END;
	}
}

void *nt_lttng_worker_main(void *argument)
{
	struct nt_lttng_link *link = argument;
	struct worker *worker = nt_alloc(sizeof(*worker));
	struct nt_error err = { 0 };
	prctl(PR_SET_NAME, "nettop-lttng");
	nt_lttng_connection_init(&worker->connection, link);
	worker->connection.say = say;
	worker->connection.give_up = give_up;
	worker->connection.say_context = worker;
	tell(worker, NT_STATE_STARTING, "", "");
	enum nt_status status = work(worker, &err);
	say_end(worker, status, &err);
	nt_lttng_connection_fini(&worker->connection);
	nt_lttng_release_sessiond(&worker->connection);
	free(worker);
	atomic_store(&link->ended, true);
	eventfd_write(link->ended_fd, 1);
	nt_lttng_link_drop(link);
	return NULL;
}
