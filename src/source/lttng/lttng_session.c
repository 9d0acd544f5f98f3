// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_session.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/signal_to.h"
#include "source/lttng/lttng_chosen.h"
#include "source/lttng/lttng_ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANNEL    "runtime"
#define ALLOCATION "DotNETRuntime:AllocationSampled"

enum {
	SHARED_BYTES_MAX = 64 << 20, /* of all CPUs together */
	SUBBUF_BYTES_MAX = 2 << 20,  /* 190 k events/s came through these without a loss */
	SUBBUF_BYTES_MIN = 16 << 10,
	TRACEFILE_BYTES = 4 << 20, /* the relay keeps a ring of two per CPU; 1 MB was too small at 190 k events/s */
	TRACEFILE_COUNT = 2,
};

/*
 * What nettop shows, and nothing that makes the runtime flood. GCStart also matches its version 0, whose state the runtime reads to decide
 * about all other GC events. Never GCJoin (it brings an event per allocation tick), GCGenerationRange, SetGCHandle or the whole provider. Never any of
 * Exception*: an exception without a message ends the target, because the runtime measures a text that is null (doc/EVENTS.md).
 */
static const char *const curated[] = {
	"DotNETRuntime:GCStart*",
	"DotNETRuntime:GCEnd*",
	"DotNETRuntime:GCHeapStats*",
	"DotNETRuntime:GCSuspendEE*",
	"DotNETRuntime:GCRestartEE*",
	"DotNETRuntime:GCTriggered",
	"DotNETRuntime:GCGlobalHeapHistory*",
	"DotNETRuntime:GCPerHeapHistory*",
	"DotNETRuntime:MethodJittingStarted*",
	"DotNETRuntime:MethodLoadVerbose*",
	"DotNETRuntime:MethodUnloadVerbose*",
	"DotNETRuntime:TieredCompilation*",
	"DotNETRuntime:ThreadPool*",
	"DotNETRuntime:ThreadCreated",
	"DotNETRuntime:ThreadTerminated",
	"DotNETRuntime:Contention*",
};
enum { CURATED_COUNT = sizeof(curated) / sizeof(curated[0]) };

/* To which process and thread an event belongs; pid_ns tells two containers with equal pids apart. */
static const enum lttng_event_context_type contexts[] = {
	LTTNG_EVENT_CONTEXT_VPID,
	LTTNG_EVENT_CONTEXT_VTID,
	LTTNG_EVENT_CONTEXT_PROCNAME,
	LTTNG_EVENT_CONTEXT_PID_NS,
};

struct nt_lttng_session {
	const struct nt_lttng_ctl *ctl;
	char *name;                  /* owned */
	struct lttng_handle *handle; /* owned */
};

/* liblttng-ctl returns its codes negative, or positive from the newer functions; 0 and LTTNG_OK are success. */
static enum nt_status check(const struct nt_lttng_ctl *ctl, int code, const char *what, struct nt_error *err)
{
	if (code < 0)
		code = -code;
	switch (code) {
	case 0:
	case LTTNG_OK:
		return NT_OK;
	case LTTNG_ERR_NO_SESSIOND:
	case LTTNG_ERR_CONNECT_FAIL:
		return nt_error_set(err, NT_ERR_GONE, "%s: the LTTng session daemon does not answer", what);
	case LTTNG_ERR_EPERM:
		return nt_error_set(err, NT_ERR_FORBIDDEN, "%s: the LTTng session daemon refuses; run nettop as root", what);
	default:
		return nt_error_set(err, NT_ERR_FAILED, "%s: %s (LTTng error %d)", what, ctl->strerror(-code), code);
	}
}

static unsigned possible_cpus(void)
{
	/* "0-1" or "0,2-5": buffers exist for every CPU up to the last number. */
	char *text;
	size_t length;
	unsigned count = 0;
	if (nt_file_read(AT_FDCWD, "/sys/devices/system/cpu/possible", 4096, &text, &length) == 0) {
		const char *last = text + length;
		while (last > text && !strchr(",-", last[-1]))
			last--;
		count = (unsigned)strtoul(last, NULL, 10) + 1;
	}
	free(text);
	long configured = sysconf(_SC_NPROCESSORS_CONF);
	return configured > (long)count ? (unsigned)configured : count;
}

uint64_t nt_lttng_subbuf_bytes(unsigned cpu_count)
{
	uint64_t bytes = SUBBUF_BYTES_MAX;
	while (bytes > SUBBUF_BYTES_MIN && bytes * NT_LTTNG_SUBBUF_COUNT * cpu_count > SHARED_BYTES_MAX)
		bytes /= 2;
	return bytes;
}

uint64_t nt_lttng_rings_bytes(void)
{
	unsigned cpus = possible_cpus();
	return nt_lttng_subbuf_bytes(cpus) * NT_LTTNG_SUBBUF_COUNT * cpus;
}

static enum nt_status enable_channel(struct nt_lttng_session *session, struct nt_error *err)
{
	const struct nt_lttng_ctl *ctl = session->ctl;
	struct lttng_channel *channel = ctl->channel_create(&session->handle->domain);
	if (!channel)
		return nt_error_set(err, NT_ERR_FAILED, "liblttng-ctl made no channel");
	strcpy(channel->name, CHANNEL);
	channel->attr.overwrite = 0;
	channel->attr.subbuf_size = nt_lttng_subbuf_bytes(possible_cpus());
	channel->attr.num_subbuf = NT_LTTNG_SUBBUF_COUNT;
	channel->attr.switch_timer_interval = 0;
	channel->attr.read_timer_interval = 0;
	channel->attr.output = LTTNG_EVENT_MMAP;
	channel->attr.tracefile_size = TRACEFILE_BYTES;
	channel->attr.tracefile_count = TRACEFILE_COUNT;
	ctl->channel_set_monitor_timer_interval(channel, 0); /* nobody reads the fill levels */
	enum nt_status status = check(ctl, ctl->enable_channel(session->handle, channel), "cannot make the LTTng channel", err);
	ctl->channel_destroy(channel);
	return status;
}

static enum lttng_process_attr_tracker_handle_status include(const struct nt_lttng_ctl *ctl,
							     struct lttng_process_attr_tracker_handle *tracker,
							     const struct nt_lttng_session_setup *setup)
{
	enum lttng_process_attr_tracker_handle_status done = LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK;
	if (!setup->pid_count)
		return ctl->process_attr_user_id_tracker_handle_add_uid(tracker, setup->uid);
	for (size_t i = 0; i < setup->pid_count && done == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK; i++) {
		done = ctl->process_attr_process_id_tracker_handle_add_pid(tracker, (pid_t)setup->pids[i]);
		if (done == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_EXISTS)
			done = LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK;
	}
	return done;
}

static enum nt_status track(const struct nt_lttng_session *session, const struct nt_lttng_session_setup *setup, struct nt_error *err)
{
	const struct nt_lttng_ctl *ctl = session->ctl;
	struct lttng_process_attr_tracker_handle *tracker = NULL;
	enum lttng_process_attr attribute = setup->pid_count ? LTTNG_PROCESS_ATTR_VIRTUAL_PROCESS_ID : LTTNG_PROCESS_ATTR_VIRTUAL_USER_ID;
	enum nt_status status = check(ctl, ctl->session_get_tracker_handle(session->name, LTTNG_DOMAIN_UST, attribute, &tracker),
				      "cannot limit the LTTng session to its processes", err);
	if (status != NT_OK)
		return status;
	enum lttng_process_attr_tracker_handle_status done =
		ctl->process_attr_tracker_handle_set_tracking_policy(tracker, LTTNG_TRACKING_POLICY_INCLUDE_SET);
	if (done == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK)
		done = include(ctl, tracker, setup);
	ctl->process_attr_tracker_handle_destroy(tracker);
	if (done != LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK)
		return nt_error_set(err, NT_ERR_FAILED, "cannot limit the LTTng session to %s %u (tracker status %d)",
				    setup->pid_count ? "process" : "user", setup->pid_count ? setup->pids[0] : setup->uid, (int)done);
	return NT_OK;
}

static enum nt_status add_contexts(const struct nt_lttng_session *session, struct nt_error *err)
{
	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
		struct lttng_event_context context = { .ctx = contexts[i] };
		enum nt_status status = check(session->ctl, session->ctl->add_context(session->handle, &context, NULL, CHANNEL),
					      "cannot add a context to the LTTng channel", err);
		if (status != NT_OK)
			return status;
	}
	return NT_OK;
}

/* A rule that is there but disabled becomes enabled again: `exists` is success. */
static enum nt_status enable_event(const struct nt_lttng_session *session, const char *pattern, struct nt_error *err)
{
	const struct nt_lttng_ctl *ctl = session->ctl;
	struct lttng_event *event = ctl->event_create();
	if (!event)
		return nt_error_set(err, NT_ERR_FAILED, "liblttng-ctl made no event rule");
	event->type = LTTNG_EVENT_TRACEPOINT;
	event->loglevel_type = LTTNG_EVENT_LOGLEVEL_ALL;
	snprintf(event->name, sizeof(event->name), "%s", pattern);
	int code = ctl->enable_event_with_exclusions(session->handle, event, CHANNEL, NULL, 0, NULL);
	ctl->event_destroy(event);
	if (code == -LTTNG_ERR_UST_EVENT_EXIST || code == -LTTNG_ERR_UST_EVENT_ENABLED)
		return NT_OK;
	return check(ctl, code, "cannot enable an LTTng event", err);
}

static enum nt_status create_live(const struct nt_lttng_ctl *ctl, const struct nt_lttng_session_setup *setup, struct nt_error *err)
{
	char url[64];
	snprintf(url, sizeof(url), "net://127.0.0.1:%u:%u", setup->relay->control_port, setup->relay->data_port);
	struct lttng_session_descriptor *descriptor =
		ctl->session_descriptor_live_network_create(setup->name, url, NULL, setup->live_timer_us);
	if (!descriptor)
		return nt_error_set(err, NT_ERR_FAILED, "liblttng-ctl made no session descriptor for %s", url);
	enum nt_status status = check(ctl, ctl->create_session_ext(descriptor), "cannot make the LTTng session", err);
	ctl->session_descriptor_destroy(descriptor);
	return status;
}

static enum nt_status enable_chosen(const struct nt_lttng_session *session, const struct nt_lttng_chosen *chosen, struct nt_error *err)
{
	char rule[NT_LTTNG_RULE_BYTES];
	enum nt_status status = NT_OK;
	for (size_t i = 0; status == NT_OK && nt_lttng_chosen_rule(chosen, i, rule); i++)
		status = enable_event(session, rule, err);
	return status;
}

static enum nt_status fill(struct nt_lttng_session *session, const struct nt_lttng_session_setup *setup, struct nt_error *err)
{
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST, .buf_type = LTTNG_BUFFER_PER_UID };
	session->handle = session->ctl->create_handle(session->name, &domain);
	if (!session->handle)
		return nt_error_set(err, NT_ERR_FAILED, "liblttng-ctl made no handle");
	enum nt_status status = enable_channel(session, err);
	/* The tracker before the events: other processes never emit, not even for a moment. */
	if (status == NT_OK)
		status = track(session, setup, err);
	if (status == NT_OK)
		status = add_contexts(session, err);
	if (status == NT_OK && setup->chosen)
		return enable_chosen(session, setup->chosen, err);
	for (size_t i = 0; status == NT_OK && i < CURATED_COUNT; i++)
		status = enable_event(session, curated[i], err);
	return status;
}

enum nt_status nt_lttng_session_ready(struct nt_error *err)
{
	return nt_lttng_ctl(err) ? NT_OK : NT_ERR_ABSENT;
}

enum nt_status nt_lttng_session_create(const struct nt_lttng_session_setup *setup, struct nt_lttng_session **out, struct nt_error *err)
{
	*out = NULL;
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(err);
	enum nt_status status = ctl ? create_live(ctl, setup, err) : NT_ERR_ABSENT;
	if (status != NT_OK)
		return status;
	struct nt_lttng_session *session = nt_alloc(sizeof(*session));
	session->ctl = ctl;
	session->name = nt_strdup(setup->name);
	status = fill(session, setup, err);
	if (status == NT_OK)
		*out = session;
	else
		nt_lttng_session_end(session);
	return status;
}

enum nt_status nt_lttng_session_start(struct nt_lttng_session *session, struct nt_error *err)
{
	return check(session->ctl, session->ctl->start_tracing(session->name), "cannot start the LTTng session", err);
}

enum nt_status nt_lttng_session_stop(struct nt_lttng_session *session, struct nt_error *err)
{
	return check(session->ctl, session->ctl->stop_tracing_no_wait(session->name), "cannot stop the LTTng session", err);
}

const char *nt_lttng_session_pattern(size_t index)
{
	if (index < CURATED_COUNT)
		return curated[index];
	return index == CURATED_COUNT ? ALLOCATION : NULL;
}

enum nt_status nt_lttng_session_want_alloc(struct nt_lttng_session *session, bool on, struct nt_error *err)
{
	if (on)
		return enable_event(session, ALLOCATION, err);
	return check(session->ctl, session->ctl->disable_event(session->handle, ALLOCATION, CHANNEL), "cannot disable " ALLOCATION, err);
}

void nt_lttng_session_end(struct nt_lttng_session *session)
{
	if (!session)
		return;
	/* Without waiting for the data: whoever wanted it has read it, or cannot any more. */
	session->ctl->destroy_session_no_wait(session->name);
	if (session->handle)
		session->ctl->destroy_handle(session->handle);
	free(session->name);
	free(session);
}

/* Which of these processes have a tracepoint whose name begins so? */
static void find_tracepoints(const uint32_t *pids, const char *beginning, bool *found, size_t count)
{
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(NULL);
	struct lttng_domain domain = { .type = LTTNG_DOMAIN_UST };
	struct lttng_handle *handle = ctl ? ctl->create_handle(NULL, &domain) : NULL;
	memset(found, 0, count * sizeof(*found));
	if (!handle)
		return;
	struct lttng_event *events = NULL;
	int event_count = ctl->list_tracepoints(handle, &events);
	for (size_t p = 0; p < count; p++)
		for (int i = 0; i < event_count && !found[p]; i++)
			found[p] = events[i].pid == (pid_t)pids[p] && strncmp(events[i].name, beginning, strlen(beginning)) == 0;
	free(events);
	ctl->destroy_handle(handle);
}

void nt_lttng_registered(const uint32_t *pids, bool *registered, size_t count)
{
	find_tracepoints(pids, "", registered, count);
}

bool nt_lttng_provides(uint32_t pid)
{
	bool found;
	find_tracepoints(&pid, "DotNETRuntime:", &found, 1);
	return found;
}

/* Provably dead: a pid of our own namespace that nobody, or somebody else, has. What /proc hides from us may live. */
static bool is_left_over(const char *name, const struct nt_lttng_owner *self)
{
	struct nt_lttng_owner owner;
	unsigned number;
	if (!nt_lttng_name_parse(name, &owner, &number) || owner.pid_ns != self->pid_ns)
		return false;
	struct nt_procfs_stat stat;
	if (nt_lttng_process_stat(owner.pid, &stat))
		return stat.start_ticks != owner.start_ticks || stat.state == 'Z';
	return !nt_signal_process((pid_t)owner.pid, 0) && errno == ESRCH;
}

void nt_lttng_sweep(const struct nt_lttng_owner *self)
{
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(NULL);
	struct lttng_session *sessions = NULL;
	int count = ctl ? ctl->list_sessions(&sessions) : -1;
	for (int i = 0; i < count; i++)
		if (is_left_over(sessions[i].name, self))
			ctl->destroy_session_no_wait(sessions[i].name);
	free(sessions);
}

int nt_lttng_session_count(void)
{
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(NULL);
	struct lttng_session *sessions = NULL;
	int count = ctl ? ctl->list_sessions(&sessions) : -1;
	free(sessions);
	return count;
}
