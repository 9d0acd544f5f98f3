// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_relayed.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/thread.h"
#include "source/common/inner_tids.h"
#include "source/common/outbox.h"
#include "source/lttng/lttng_decode.h"
#include "source/lttng/lttng_link.h"
#include "source/lttng/lttng_recorded.h"
#include "source/lttng/lttng_message.h"
#include "source/lttng/lttng_viewer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum {
	BATCHES = 16,
	LIVE_PORT = 5344,
	REST_MS = 50,         /* after a turn in which nobody had anything */
	LIST_MS = 1000,       /* between two looks at which sessions there are */
	SETTLE_MS = 1000,     /* for so long the clocks of a session are compared before anything of it is told */
	SESSIONS_MAX = 256,   /* that are read at a time */
	PROCESSES_MAX = 1024, /* of all, ever */
	ROUNDS_MAX = 16,      /* calls of one session before the next one's turn */
	END_MS = 300,         /* close() waits so long for the thread, twice */
};

/* A session that is being read. */
struct session {
	struct nt_lttng_viewer_session is;
	struct nt_lttng_relayed *relayed;  /* borrowed */
	struct nt_lttng_viewer *viewer;    /* owned; NULL: its place is free */
	struct nt_lttng_decoder *decoder;  /* owned; NULL: clocks are still compared */
	struct nt_lttng_watched_list list; /* owned: its processes */
	nt_time attached_at, since;        /* since when it is read, and told of */
	bool timed;                        /* a message has come; then: */
	int64_t shift_ns;                  /* from its times to ours */
	int64_t realtime_offset_ns;        /* as LTTng had it */
	nt_time delivered_until, stated_until;
	unsigned recorded; /* enum nt_lttng_recorded bits */
	bool left_out;     /* it has processes of which no collections are recorded */
};

/* Which numbers a session's processes have: one group for each session and pid namespace, for as long as nettop runs. */
struct group {
	char url[NT_LTTNG_URL_BYTES];
	uint64_t pid_ns;
};

struct nt_lttng_relayed {
	char *url; /* owned */
	unsigned port;
	struct nt_channel *channel; /* owned */
	pthread_t worker;
	atomic_bool ends, ended;
	/* The worker's. */
	struct nt_lttng_out out;
	struct session sessions[SESSIONS_MAX];
	struct group groups[NT_RELAYED_GROUPS];
	size_t group_count;
	bool full; /* there have been more processes than are listed */
	/* Of both. */
	pthread_mutex_t lock;
	struct nt_relayed_process processes[PROCESSES_MAX];
	size_t process_count;
	char says[2 * NT_ERROR_TEXT];
	char said[2 * NT_ERROR_TEXT]; /* the main thread's copy */
};

static void say(struct nt_lttng_relayed *relayed, const char *sentence)
{
	pthread_mutex_lock(&relayed->lock);
	snprintf(relayed->says, sizeof(relayed->says), "%s", sentence);
	pthread_mutex_unlock(&relayed->lock);
}

/* Everything is told in the name of one session at a time. */
static void turn_to(struct session *session)
{
	struct nt_lttng_out *out = &session->relayed->out;
	out->watched = &session->list;
	out->delivered_until = session->delivered_until;
	out->stated_until = session->stated_until;
}

static void turn_from(struct session *session)
{
	const struct nt_lttng_out *out = &session->relayed->out;
	session->delivered_until = out->delivered_until;
	session->stated_until = out->stated_until;
}

/* The main thread takes what comes as long as there is one. */
static bool wait_for_room(struct nt_lttng_relayed *relayed)
{
	while (!nt_lttng_out_room(&relayed->out)) {
		if (atomic_load(&relayed->ends))
			return false;
		poll(NULL, 0, 1);
	}
	return true;
}

/* ---- processes ---- */

static uint32_t group_of(struct nt_lttng_relayed *relayed, const char *url, uint64_t pid_ns)
{
	for (size_t i = 0; i < relayed->group_count; i++)
		if (relayed->groups[i].pid_ns == pid_ns && strcmp(relayed->groups[i].url, url) == 0)
			return (uint32_t)i;
	if (relayed->group_count == NT_RELAYED_GROUPS)
		return UINT32_MAX;
	struct group *group = &relayed->groups[relayed->group_count];
	group->pid_ns = pid_ns;
	snprintf(group->url, sizeof(group->url), "%s", url);
	return (uint32_t)relayed->group_count++;
}

static void copy_text(char *to, size_t size, const char *text)
{
	nt_text_escape(text ? text : "", text ? strlen(text) : 0, to, size);
}

/* False: there have been too many. *told_until: it has been here before, up to then; 0 = it has not. */
static bool list_process(struct session *session, uint32_t number, const char *name, nt_time *told_until)
{
	struct nt_lttng_relayed *relayed = session->relayed;
	pthread_mutex_lock(&relayed->lock);
	size_t at = 0;
	while (at < relayed->process_count && relayed->processes[at].number != number)
		at++;
	bool fits = at < PROCESSES_MAX;
	if (fits) {
		struct nt_relayed_process *process = &relayed->processes[at];
		*told_until = at < relayed->process_count ? process->told_until : 0;
		*process = (struct nt_relayed_process){ .number = number,
							.attached = true,
							.clock_offset_ns = (int64_t)((uint64_t)session->realtime_offset_ns -
										     (uint64_t)session->shift_ns -
										     (uint64_t)nt_clock_realtime_offset()) };
		copy_text(process->host, sizeof(process->host), session->is.host);
		copy_text(process->session, sizeof(process->session), session->is.name);
		copy_text(process->name, sizeof(process->name), name);
		relayed->process_count += at == relayed->process_count;
	}
	pthread_mutex_unlock(&relayed->lock);
	return fits;
}

static void detach_processes(struct session *session)
{
	struct nt_lttng_relayed *relayed = session->relayed;
	pthread_mutex_lock(&relayed->lock);
	for (size_t p = 0; p < relayed->process_count; p++)
		for (size_t i = 0; i < session->list.count; i++)
			if (relayed->processes[p].number == session->list.items[i].pid) {
				relayed->processes[p].attached = false;
				relayed->processes[p].told_until = session->delivered_until;
			}
	pthread_mutex_unlock(&relayed->lock);
}

static const struct nt_lttng_watched *admit(void *context, const struct nt_lttng_newcomer *newcomer)
{
	struct session *session = context;
	struct nt_lttng_out *out = &session->relayed->out;
	/* A channel may have what others have not; once for each newcomer is cheap. */
	session->recorded |= nt_lttng_recorded_of(nt_bt.stream_borrow_class_const(nt_bt.event_borrow_stream_const(newcomer->event)));
	session->left_out = !(session->recorded & NT_RECORDED_COLLECTIONS);
	uint32_t group = newcomer->vpid >> NT_RELAYED_PID_BITS ? UINT32_MAX : group_of(session->relayed, session->is.url, newcomer->pid_ns);
	session->relayed->full |= group == UINT32_MAX;
	if (session->left_out || group == UINT32_MAX)
		return NULL;
	uint32_t number = group << NT_RELAYED_PID_BITS | newcomer->vpid;
	const char *name = nt_lttng_procname_of(newcomer->form, newcomer->event, newcomer->context);
	nt_time told_until;
	if (!list_process(session, number, name, &told_until)) {
		session->relayed->full = true;
		return NULL;
	}
	struct nt_lttng_watched_list *list = &session->list;
	list->items = nt_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	struct nt_lttng_watched *watched = &list->items[list->count++];
	*watched = (struct nt_lttng_watched){
		.pid = number, .vpid = newcomer->vpid, .pid_ns = newcomer->pid_ns, .pidfd = -1, .tids = nt_inner_tids_new("", true)
	};
	char shown[64];
	copy_text(shown, sizeof(shown), name);
	const struct nt_ev_target said = nt_lttng_recorded_target(session->recorded, shown, out->interner, out->batch);
	nt_batch_add(out->batch, NT_EV_TARGET, newcomer->time, number, 0)->u.target = said;
	const struct nt_ev_source_state state = nt_source_state_said(out->interner, out->batch, NT_STATE_DELIVERING, true, NULL, NULL);
	nt_batch_add(out->batch, NT_EV_SOURCE_STATE, newcomer->time, number, 0)->u.source_state = state;
	if (told_until) /* nobody has counted what came meanwhile */
		nt_batch_add(out->batch, NT_EV_LOST, session->since, number, 0)->u.lost =
			(struct nt_ev_lost){ .what = NT_LOST_GAP, .from = told_until };
	nt_batch_add(out->batch, NT_EV_COVER, session->since, number, 0)->u.cover =
		(struct nt_ev_cover){ .what = UINT32_MAX, .covered = true };
	return watched;
}

/* ---- one session ---- */

static bool has_room(void *context)
{
	struct session *session = context;
	return nt_lttng_out_room(&session->relayed->out);
}

static const bt_clock_snapshot *clock_of(const struct bt_message *message)
{
	switch (nt_bt.message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		return nt_bt.message_event_borrow_default_clock_snapshot_const(message);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return nt_bt.message_message_iterator_inactivity_borrow_clock_snapshot_const(message);
	default:
		return NULL;
	}
}

/* The message that was fastest says best how the clocks differ. */
static void compare_clocks(struct session *session, const struct bt_message *message)
{
	const bt_clock_snapshot *snapshot = clock_of(message);
	if (!snapshot)
		return;
	int64_t shift_ns = (int64_t)(nt_clock_now() - nt_lttng_time_of(snapshot));
	if (session->timed && shift_ns >= session->shift_ns)
		return;
	session->timed = true;
	session->shift_ns = shift_ns;
	session->realtime_offset_ns = nt_lttng_realtime_offset(nt_bt.clock_snapshot_borrow_clock_class_const(snapshot));
}

static void take(void *context, const struct bt_message *message)
{
	struct session *session = context;
	if (session->decoder)
		nt_lttng_decode(session->decoder, message);
	else
		compare_clocks(session, message);
}

static void settle(struct session *session)
{
	nt_time now = nt_clock_now();
	if (session->decoder || !session->timed || now < session->attached_at + SETTLE_MS * NT_NS_PER_MS)
		return;
	const struct nt_lttng_wanted wanted = { .list = &session->list, .admit = admit, .context = session, .shift_ns = session->shift_ns };
	session->decoder = nt_lttng_decoder_new(&wanted, &session->relayed->out);
	session->since = now;
}

static enum nt_status begin(struct nt_lttng_relayed *relayed, struct session *session, const struct nt_lttng_viewer_session *is,
			    struct nt_error *err)
{
	*session = (struct session){ .is = *is, .relayed = relayed, .attached_at = nt_clock_now() };
	const struct nt_lttng_viewer_sink sink = { .context = session, .has_room = has_room, .take = take };
	return nt_lttng_viewer_new(is->url, &sink, &session->viewer, err);
}

/* It was destroyed, or the relay is lost: no more is told of its processes, and what comes until it is read again is missing. */
static void end(struct session *session, const char *reason)
{
	struct nt_lttng_relayed *relayed = session->relayed;
	if (session->decoder && session->list.count && wait_for_room(relayed)) {
		turn_to(session);
		nt_lttng_out_cover(&relayed->out, false, session->delivered_until);
		nt_lttng_out_state(&relayed->out, nt_clock_now(), NT_STATE_ENDED, reason, NULL);
	}
	detach_processes(session);
	nt_lttng_viewer_free(session->viewer);
	nt_lttng_decoder_free(session->decoder);
	nt_lttng_watched_fini(&session->list);
	session->viewer = NULL;
	session->decoder = NULL;
}

/* Returns whether there may be more at once. */
static bool read_some(struct session *session)
{
	struct nt_lttng_relayed *relayed = session->relayed;
	struct nt_error err = { 0 };
	char reason[2 * NT_ERROR_TEXT];
	enum nt_status status = NT_OK;
	turn_to(session);
	for (int i = 0; i < ROUNDS_MAX && status == NT_OK; i++)
		status = nt_lttng_viewer_run(session->viewer, &err);
	if (session->decoder)
		nt_lttng_out_flush(&relayed->out);
	turn_from(session);
	settle(session);
	if (status == NT_END) {
		end(session, "the session was destroyed");
	} else if (status < 0) {
		say(relayed, nt_error_reason(&err, reason, sizeof(reason)));
		end(session, reason);
	}
	return status == NT_OK;
}

/* ---- all of them ---- */

/* Two looks at which sessions there are. */
struct ready {
	struct nt_lttng_viewer_session *found; /* owned, as is: */
	struct nt_lttng_viewer_session *before;
	size_t before_count;
};

/*
 * Had this session a program a second ago? A stream that is read before the program's events are declared makes babeltrace 2.0 write beyond an array of its own (nt_lttng_may_view()), and they are declared right after the program has
 * registered.
 */
static bool is_ready(const struct ready *ready, const char *url)
{
	for (size_t i = 0; i < ready->before_count; i++)
		if (ready->before[i].has_streams && strcmp(ready->before[i].url, url) == 0)
			return true;
	return false;
}

static bool is_read(const struct nt_lttng_relayed *relayed, const char *url)
{
	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (relayed->sessions[i].viewer && strcmp(relayed->sessions[i].is.url, url) == 0)
			return true;
	return false;
}

static enum nt_status begin_new(struct nt_lttng_relayed *relayed, const struct nt_lttng_viewer_session *is, struct nt_error *err)
{
	size_t place = 0;
	while (place < SESSIONS_MAX && relayed->sessions[place].viewer)
		place++;
	if (place == SESSIONS_MAX)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the relay has more sessions than the %d that nettop reads at a time",
				    SESSIONS_MAX);
	return begin(relayed, &relayed->sessions[place], is, err);
}

static void look_for_sessions(struct nt_lttng_relayed *relayed, struct ready *ready)
{
	struct nt_error err = { 0 };
	char reason[2 * NT_ERROR_TEXT];
	size_t count;
	if (nt_lttng_viewer_list(relayed->url, ready->found, NT_LTTNG_SESSIONS_MAX, &count, &err) != NT_OK) {
		say(relayed, nt_error_reason(&err, reason, sizeof(reason)));
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (is_ready(ready, ready->found[i].url) && !is_read(relayed, ready->found[i].url))
			begin_new(relayed, &ready->found[i], &err);
	bool left_out = false, nameless = false;
	for (size_t i = 0; i < SESSIONS_MAX; i++) {
		const struct session *session = &relayed->sessions[i];
		left_out |= session->viewer && session->left_out;
		nameless |= session->decoder && nt_lttng_decoder_lacks_vpid(session->decoder);
	}
	say(relayed, err.cause_count ? nt_error_reason(&err, reason, sizeof(reason))
		     : !count        ? "the relay has no live session (lttng create NAME --live --set-url=net://RELAY)"
		     : nameless
			     ? "events that do not say of which process they are, are left out (lttng add-context --userspace --type=vpid)"
		     : relayed->full ? "there have been more processes than are listed of one relay: further ones are left out"
		     : left_out      ? "processes of which no collections are recorded (DotNETRuntime:GCEnd*) are left out"
				     : "");
	struct nt_lttng_viewer_session *spare = ready->before;
	ready->before = ready->found;
	ready->before_count = count;
	ready->found = spare;
}

static void *work(void *context)
{
	struct nt_lttng_relayed *relayed = context;
	struct ready ready = { .found = nt_alloc(NT_LTTNG_SESSIONS_MAX * sizeof(*ready.found)),
			       .before = nt_alloc(NT_LTTNG_SESSIONS_MAX * sizeof(*ready.before)) };
	nt_time next_list = 0;
	prctl(PR_SET_NAME, "nettop-relay");
	while (!atomic_load(&relayed->ends)) {
		bool more = false;
		if (nt_clock_now() >= next_list) {
			look_for_sessions(relayed, &ready);
			next_list = nt_clock_now() + LIST_MS * NT_NS_PER_MS;
		}
		for (size_t i = 0; i < SESSIONS_MAX; i++)
			more |= relayed->sessions[i].viewer && read_some(&relayed->sessions[i]);
		poll(NULL, 0, more ? 0 : REST_MS);
	}
	for (size_t i = 0; i < SESSIONS_MAX; i++)
		if (relayed->sessions[i].viewer)
			end(&relayed->sessions[i], "");
	free(ready.found);
	free(ready.before);
	atomic_store(&relayed->ended, true);
	return NULL;
}

/* ---- the main thread ---- */

/* net://HOST[:PORT][/]: what the library is asked with, and the port. */
static enum nt_status take_url(const char *url, char **out, unsigned *port, struct nt_error *err)
{
	static const char scheme[] = "net://";
	const char *host = strncmp(url, scheme, sizeof(scheme) - 1) == 0 ? url + sizeof(scheme) - 1 : "";
	size_t length = strcspn(host, "/");
	const char *colon = memchr(host, ':', length);
	char *after = NULL;
	unsigned long number = colon ? strtoul(colon + 1, &after, 10) : LIVE_PORT;
	bool good = length && host != colon && (host[length] == '\0' || strcmp(host + length, "/") == 0) &&
		    (!colon || (after == host + length && colon[1] >= '0' && colon[1] <= '9')) && number > 0 && number <= UINT16_MAX;
	if (!good)
		return nt_error_set(err, NT_ERR_USAGE,
				    "--relay wants net://HOST or net://HOST:PORT, of lttng-relayd's port for viewers (5344)");
	*out = nt_format("%.*s", (int)(host + length - url), url);
	*port = (unsigned)number;
	return NT_OK;
}

enum nt_status nt_lttng_relayed_open(const char *url, struct nt_lttng_relayed **out, struct nt_error *err)
{
	char *taken = NULL;
	unsigned port = 0;
	enum nt_status status = take_url(url, &taken, &port, err);
	if (status != NT_OK)
		return status;
	struct nt_lttng_relayed *relayed = nt_alloc(sizeof(*relayed));
	relayed->url = taken;
	relayed->port = port;
	relayed->channel = nt_channel_new(NT_SOURCE_LTTNG, BATCHES);
	pthread_mutex_init(&relayed->lock, NULL);
	int error = relayed->channel ? 0 : errno;
	if (!error) {
		nt_lttng_out_init(&relayed->out, relayed->channel, NULL);
		error = nt_thread_start(&relayed->worker, 0, work, relayed);
	}
	if (error) {
		status = nt_error_errno(err, NT_ERR_FAILED, error, "cannot start to read the relay");
		atomic_store(&relayed->ended, true);
		relayed->worker = 0;
		nt_lttng_relayed_close(relayed);
		return status;
	}
	*out = relayed;
	return NT_OK;
}

int nt_lttng_relayed_fd(const struct nt_lttng_relayed *relayed)
{
	return nt_channel_fd(relayed->channel);
}

struct nt_batch *nt_lttng_relayed_take(struct nt_lttng_relayed *relayed)
{
	return nt_channel_take_full(relayed->channel);
}

void nt_lttng_relayed_give_back(struct nt_lttng_relayed *relayed, struct nt_batch *batch)
{
	nt_channel_give_back(relayed->channel, batch);
}

struct nt_relayed_process *nt_lttng_relayed_processes(struct nt_lttng_relayed *relayed, size_t *count)
{
	pthread_mutex_lock(&relayed->lock);
	*count = relayed->process_count;
	struct nt_relayed_process *copy = nt_alloc((*count + 1) * sizeof(*copy));
	memcpy(copy, relayed->processes, *count * sizeof(*copy));
	pthread_mutex_unlock(&relayed->lock);
	return copy;
}

const char *nt_lttng_relayed_says(struct nt_lttng_relayed *relayed)
{
	pthread_mutex_lock(&relayed->lock);
	memcpy(relayed->said, relayed->says, sizeof(relayed->said));
	pthread_mutex_unlock(&relayed->lock);
	return relayed->said;
}

static bool ends_within(const struct nt_lttng_relayed *relayed, int ms)
{
	for (nt_time end = nt_clock_now() + (nt_time)ms * NT_NS_PER_MS; !atomic_load(&relayed->ended) && nt_clock_now() < end;)
		poll(NULL, 0, 1);
	return atomic_load(&relayed->ended);
}

/* A thread that hangs in a relay that does not answer is freed by shutting down its connections; one that hangs still is left behind, with what it has. */
void nt_lttng_relayed_close(struct nt_lttng_relayed *relayed)
{
	if (!relayed)
		return;
	atomic_store(&relayed->ends, true);
	if (!ends_within(relayed, END_MS))
		nt_lttng_shut_connections(relayed->port);
	if (!ends_within(relayed, END_MS)) {
		pthread_detach(relayed->worker);
		return;
	}
	if (relayed->worker)
		pthread_join(relayed->worker, NULL);
	nt_lttng_out_fini(&relayed->out);
	nt_channel_free(relayed->channel);
	pthread_mutex_destroy(&relayed->lock);
	free(relayed->url);
	free(relayed);
}
