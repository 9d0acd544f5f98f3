// SPDX-License-Identifier: GPL-2.0-only
/* A program that waits at its start until EventPipe reads: what LTTng gives by holding it, without LTTng. */
#include "app/run/run_parts.h"
#include "app/session/demand.h"
#include "source/common/sources.h"
#include "source/eventpipe/eventpipe.h"
#include "source/lttng/lttng.h"
#include "source/perf/perf.h"
#include "target/needs/lttng_delivers.h"
#include "target/process/settings.h"

#include <string.h>

enum {
	WAIT_MS = 10000,
	ATTACH_MS = 1000,   /* to be there with perf */
	WAIT_AOT_MS = 1000, /* its runtime is up in a few milliseconds, and has a port or has none */
	REACH_MS = 200,     /* from then on one that has not come may not see the port */
	STEP_MS = 5,
	STEP_SHORT_MS = 1, /* while the program is held */
};

/* What a .NET program starts, as `dotnet run` does, has not been told of the port. Not known is as if it had. */
static bool knows_port(const struct nt_run *run, const struct nt_target *target)
{
	const struct nt_environment environment = nt_target_environment(target);
	char value[NT_SETTING_BYTES];
	return !target->environment_readable ||
	       (nt_environment_variable(&environment, NT_STARTUP_PORT_VARIABLE, value) && strstr(value, nt_startup_port_path(run->port)));
}

/* It may have a /tmp of its own, and then it waits for a port that is not there. The keeper is told first: killed in between, nettop would leave a folder, and a port at which nobody listens. */
static void reach_it(struct nt_run *run, const struct nt_target *target)
{
	struct nt_error err = { 0 };
	enum nt_status status = nt_startup_port_reach(run->port, target, &err);
	if (status == NT_OK) {
		char deed[NT_DEED_TEXT_BYTES];
		int place = nt_startup_port_lent_deed(run->port, deed);
		if (!nt_keeper_hold(run->keeper, "lent-port", deed, place)) {
			nt_run_say(run, "the keeper has no room for another port: this program is not reached");
			return;
		}
		nt_keeper_port(run->keeper, nt_startup_port_path(run->port), nt_startup_port_second_listener(run->port));
		status = nt_startup_port_make_second(run->port, target, &err);
		if (status != NT_OK)
			nt_keeper_note(run->keeper, "-lent-port", deed);
	}
	if (status < 0)
		nt_run_say_error(run, &err);
}

/* True when it waits. One that is too old for it, or whose diagnostics are off or not built in, goes its way. */
static bool await_program(struct nt_run *run, const struct nt_target *target)
{
	if (!knows_port(run, target)) {
		nt_run_say(run,
			   "a .NET program has started the program, which does not wait at its start then: its first events are missed");
		return false;
	}
	nt_time reach = nt_clock_now() + REACH_MS * NT_NS_PER_MS;
	bool is_aot = target->deployment == NT_DEPLOYED_NATIVE_AOT;
	nt_time deadline = nt_clock_now() + (is_aot ? WAIT_AOT_MS : WAIT_MS) * NT_NS_PER_MS;
	while (!nt_startup_port_holds(run->port, target->pid)) {
		if (!nt_target_alive(target) || !nt_run_wait(run, STEP_MS))
			return false;
		if (nt_clock_now() > reach) {
			reach = NT_TIME_UNKNOWN;
			reach_it(run, target);
		}
		if (nt_clock_now() > deadline) {
			nt_run_say(run, is_aot ? "the program was compiled with Native AOT without EventSourceSupport: it has no events"
					       : "the program does not wait at its start: its first events are missed");
			return false;
		}
	}
	return true;
}

static enum nt_status open_source(struct nt_run *run, const struct nt_target *target, struct nt_source **out, struct nt_error *err)
{
	const struct nt_demand_facts facts = { .mode = target->mode,
					       .left_out = nt_target_lttng_leaves_out(target),
					       .compilations_only = run->setup.compilations_only,
					       .compilations = true,
					       .unmapped = run->setup.perf_map_later };
	run->config = nt_session_config(&run->setup);
	enum nt_status status = nt_source_eventpipe.open(&run->config, out, err);
	if (status == NT_OK)
		status = nt_source_eventpipe.add(*out, target, err);
	if (status == NT_OK)
		nt_source_eventpipe.want(*out, nt_demand_of(NT_SOURCE_EVENTPIPE, &facts));
	return status;
}

/* Until it reads, or says that it cannot: then the session says why. */
static void await_source(struct nt_run *run, const struct nt_target *target, struct nt_source *source)
{
	nt_time deadline = nt_clock_now() + WAIT_MS * NT_NS_PER_MS;
	while (nt_eventpipe_is_starting(source) && nt_target_alive(target) && nt_clock_now() < deadline) {
		if (!nt_run_wait(run, STEP_SHORT_MS))
			return;
		nt_source_eventpipe.on_tick(source, nt_clock_now(), false);
	}
	if (nt_eventpipe_is_starting(source))
		nt_run_say(run, "EventPipe is not ready after 10 s: the program goes on without, its first events are missed");
}

/* It costs the program less. A single file has no provider for it, and somebody may have switched it off. */
static bool lttng_brings_all(const struct nt_run *run, const struct nt_target *target)
{
	struct nt_source *lttng = run->early[NT_SOURCE_LTTNG];
	struct nt_probe probe = { .result = NT_PROBE_ABSENT };
	if (lttng && nt_lttng_is_ready(lttng) && !nt_demand_eventpipe_alone(run->options, target))
		nt_source_lttng.probe(target, &run->config, &probe);
	return probe.result == NT_PROBE_AVAILABLE;
}

static void take_eventpipe(struct nt_run *run, const struct nt_target *target)
{
	struct nt_error err = { 0 };
	struct nt_source **lttng = &run->early[NT_SOURCE_LTTNG], **source = &run->early[NT_SOURCE_EVENTPIPE];
	if (*lttng)
		(*lttng)->ops->close(*lttng);
	*lttng = NULL;
	run->options->source_mask &= ~(1u << NT_SOURCE_LTTNG);
	if (open_source(run, target, source, &err) == NT_OK)
		await_source(run, target, *source);
	else
		nt_run_say_error(run, &err);
}

/* When its threads have a CPU is told of the whole time as well. Where it cannot be had, the session says why. */
static void take_switches(struct nt_run *run, const struct nt_target *target)
{
	struct nt_error err = { 0 };
	struct nt_source **source = &run->early[NT_SOURCE_PERF];
	run->config = nt_session_config(&run->setup);
	if (nt_source_perf.open(&run->config, source, &err) != NT_OK)
		return;
	if (nt_source_perf.add(*source, target, &err) != NT_OK) {
		nt_source_perf.close(*source);
		*source = NULL;
		return;
	}
	nt_time deadline = nt_clock_now() + ATTACH_MS * NT_NS_PER_MS;
	while (nt_perf_is_attaching(*source) && nt_clock_now() < deadline && nt_run_wait(run, STEP_SHORT_MS))
		;
}

void nt_run_begin_eventpipe(struct nt_run *run, const struct nt_target *target)
{
	if (!run->port)
		return;
	bool is_of_use = !run->show->compilations_only || target->is_dotnet;
	if (run->show->compilations_only && is_of_use && run->options->source_mask & 1u << NT_SOURCE_PERF)
		take_switches(run, target);
	if (is_of_use && !lttng_brings_all(run, target) && await_program(run, target))
		take_eventpipe(run, target);
	nt_run_leave_port(run);
}

void nt_run_leave_port(struct nt_run *run)
{
	if (!run->port || nt_startup_port_listener(run->port) < 0)
		return;
	nt_startup_port_leave(run->port);
	nt_keeper_port_yield(run->keeper);
}
