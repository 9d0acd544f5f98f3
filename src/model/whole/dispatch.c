// SPDX-License-Identifier: GPL-2.0-only
/* From an event to the subjects that it concerns. */
#include "model/whole/arrival.h"

#include "decode/names/module_name.h"
#include "nettop/source.h"

#include <string.h>

static void source_state(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	const struct nt_ev_source_state *state = &arrival->event->u.source_state;
	const char *reason = nt_arrival_keep(arrival, state->reason);
	const struct nt_why why = { reason, nt_arrival_keep(arrival, state->fix) };
	const struct nt_why no_switches = { nt_arrival_keep(arrival, state->no_switches_reason),
					    nt_arrival_keep(arrival, state->no_switches_fix) };
	nt_sources_state(&model->sources, arrival->source, state, &why, &no_switches);
	if (state->state == NT_STATE_ENDED)
		nt_coverage_over(&model->coverage, arrival->source, model->sources.items[arrival->source].progress);
	if (arrival->source == NT_SOURCE_PERF)
		nt_waits_set_exact(&model->waits, state->state == NT_STATE_DELIVERING && state->brings & NT_WANT_SWITCHES,
				   state->brings & NT_WANT_SWITCH_TIMES, arrival->event->time);
	if (arrival->source == NT_SOURCE_RUNTIME)
		nt_resolver_set_reads_data(model->resolver, state->brings & NT_WANT_METHOD_NAMES);
	if (arrival->source == NT_SOURCE_EVENTPIPE) {
		nt_allocations_source(&model->allocations, state, arrival->event->time);
		nt_jit_source(&model->jit, state->brings, arrival->event->time);
		/* It is starting, too, when it is asked for something else besides: it goes on with what it brings. */
		bool reads = state->state == NT_STATE_DELIVERING || state->state == NT_STATE_STARTING;
		nt_thrown_follow(&model->exceptions.thrown, reads && state->brings & NT_WANT_CATCHES);
		const struct nt_why no_requests = { nt_arrival_keep(arrival, state->requests_reason),
						    nt_arrival_keep(arrival, state->requests_fix) };
		nt_single_requests_source(&model->requests.singles, state->brings & NT_WANT_SINGLE_REQUESTS, &no_requests);
		model->requests.times.asked = state->brings & NT_WANT_ACTIVITIES;
		nt_requests_told(&model->requests, reads && state->brings & NT_WANT_REQUESTS, arrival->event->time);
		nt_alloc_source(&model->alloc, state);
		const struct nt_why no_items = { nt_arrival_keep(arrival, state->items_reason),
						 nt_arrival_keep(arrival, state->items_fix) };
		nt_work_items_source(&model->pool.items, state->brings & NT_WANT_POOL_ITEMS, &no_items);
	}
	/* Its state is that of the perf map; without one it still answers questions about images. */
	const struct nt_map_fault map_fault = { .naming = state->naming < NT_NAMING_COUNT ? state->naming : NT_NAMING_NAMED,
						.reason = state->state == NT_STATE_DELIVERING ? NULL : reason };
	if (arrival->source == NT_SOURCE_CODEMAP)
		nt_resolver_set_source(model->resolver, state->state != NT_STATE_UNUSED, &map_fault, arrival->event->time);
}

static void target(const struct nt_arrival *arrival)
{
	const struct nt_ev_target *target = &arrival->event->u.target;
	struct nt_target_texts texts = {
		.name = nt_arrival_keep(arrival, target->name),
		.runtime = nt_arrival_keep(arrival, target->runtime),
		.command = nt_arrival_keep(arrival, target->command),
		.end = nt_arrival_keep(arrival, target->end_text),
		.exception = nt_arrival_keep(arrival, target->exception),
		.message = nt_arrival_keep(arrival, target->message),
		.stack = nt_arrival_keep(arrival, target->stack),
		.end_reason = nt_arrival_keep(arrival, target->end_reason),
		.no_jit = { nt_arrival_keep(arrival, target->jit_reason), nt_arrival_keep(arrival, target->jit_fix) },
		.no_locks = { nt_arrival_keep(arrival, target->lock_reason), nt_arrival_keep(arrival, target->lock_fix) },
		.no_pool = { nt_arrival_keep(arrival, target->pool_reason), nt_arrival_keep(arrival, target->pool_fix) },
		.no_allocations = { nt_arrival_keep(arrival, target->alloc_reason), NULL }
	};
	nt_proc_target(&arrival->model->proc, arrival->event->time, target, &texts);
	/* All that it has lies in one file, also where that was compiled ahead of time. */
	enum nt_deployment kind = arrival->model->proc.target.kind;
	arrival->model->requests.unseen = kind == NT_DEPLOYED_SINGLE_FILE || kind == NT_DEPLOYED_NATIVE_AOT;
	if (target->ended)
		nt_proc_ended_in(&arrival->model->proc, arrival->event->tid, nt_arrival_stack(arrival));
}

static void thread(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	const char *name = nt_arrival_keep(arrival, event->u.thread.name);
	nt_threads_event(&arrival->model->threads, event->tid, event->time, &event->u.thread, name);
	if (event->u.thread.op != NT_THREAD_ENDED)
		return;
	nt_lock_waits_thread_ended(&arrival->model->lock_waits, event->tid);
	nt_waits_thread_ended(&arrival->model->waits, event->tid);
}

static void sample(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	unsigned count = event->u.sample.besides + 1;
	uint32_t thread =
		nt_threads_sample(&arrival->model->threads, NT_SAMPLES_CPU, event->tid, event->time, count, event->u.sample.weight_ns);
	struct nt_chain *chain = nt_ids_chain_of(arrival->ids, event->u.sample.stack, NT_SAMPLES_CPU);
	if (chain && event->u.sample.cut)
		chain->cut = true;
	struct nt_cpu *cpu = nt_cpu_kinds_get(&arrival->model->cpu, NT_SAMPLES_CPU);
	cpu->weight_ns += event->u.sample.weight_ns;
	nt_request_times_sample(&arrival->model->requests.times, event->time, event->tid, event->u.sample.weight_ns);
	nt_cpu_sample(cpu, event->time, count, chain, thread);
	if (nt_stacks_are_of_wall(arrival->model->cpu.wanted))
		nt_cpu_weigh(cpu, event->u.sample.weight_ns);
}

/* It stands for no CPU time. */
static void wall_sample(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	struct nt_cpu *cpu = nt_cpu_kinds_get(&arrival->model->cpu, NT_SAMPLES_WALL);
	if (!event->u.wall_sample.managed) {
		cpu->outside++;
		return;
	}
	uint32_t thread = nt_threads_sample(&arrival->model->threads, NT_SAMPLES_WALL, event->tid, event->time, 1, 0);
	nt_cpu_sample(cpu, event->time, 1, nt_ids_chain_of(arrival->ids, event->stack, NT_SAMPLES_WALL), thread);
}

/* Nor does a moment: it is no sample of time at all. */
static void moment(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	/* A look at a thread that waits, whose switches say how long. */
	if (arrival->source == NT_SOURCE_RUNTIME && nt_waits_is_exact(&arrival->model->waits, event->tid))
		return;
	struct nt_cpu *cpu = nt_cpu_kinds_get(&arrival->model->cpu, NT_SAMPLES_MOMENTS);
	uint32_t thread =
		nt_threads_sample(&arrival->model->threads, NT_SAMPLES_MOMENTS, event->tid, event->time, event->u.moment.count, 0);
	struct nt_chain *chain = nt_ids_chain_of(arrival->ids, event->stack, NT_SAMPLES_MOMENTS);
	if (chain && event->u.moment.cut)
		chain->cut = true;
	nt_cpu_moment(cpu, event->time, &event->u.moment, chain, thread);
}

static void cpu(const struct nt_arrival *arrival)
{
	if (arrival->event->kind == NT_EV_SAMPLE)
		sample(arrival);
	else if (arrival->event->kind == NT_EV_MOMENT)
		moment(arrival);
	else
		wall_sample(arrival);
}

static struct nt_jit_texts jit_texts_of(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	if (event->kind == NT_EV_JIT_START)
		return (struct nt_jit_texts){ .method = nt_arrival_text(arrival, event->u.jit_start.name) };
	if (event->kind == NT_EV_METHOD_LOAD)
		return (struct nt_jit_texts){ .method = nt_arrival_text(arrival, event->u.method.name),
					      .namespace = nt_arrival_text(arrival, event->u.method.namespace) };
	return (struct nt_jit_texts){ 0 };
}

static void jit(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	const struct nt_event *event = arrival->event;
	if (event->beside) {
		if (event->kind == NT_EV_JIT_START)
			nt_jit_callers_begun(&model->jit.callers, event, nt_arrival_stack(arrival));
		return;
	}
	const struct nt_jit_texts texts = jit_texts_of(arrival);
	if (!nt_arrival_is_before(arrival)) /* else it is told for the name alone */
		nt_jit_apply(&model->jit, arrival->source, event, &texts, &model->names);
	if (event->kind == NT_EV_METHOD_LOAD)
		nt_resolver_add_method(model->resolver, &event->u.method, texts.method, event->time);
	else if (event->kind == NT_EV_METHOD_UNLOAD)
		nt_resolver_end_method(model->resolver, &event->u.method, event->time);
}

static void module(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	const struct nt_ev_module_load *loaded = &arrival->event->u.module_load;
	static const char core[] = "System.Private.CoreLib";
	size_t length;
	const char *path = nt_heap_get(model->names.heap, nt_arrival_text(arrival, loaded->path), &length);
	struct nt_slice name = nt_module_name_of(path, length);
	nt_jit_startup_module(&model->jit.startup, loaded, name.length == sizeof(core) - 1 && memcmp(name.text, core, name.length) == 0,
			      arrival->event->time);
	if (name.length)
		nt_jit_modules_name(&model->jit.modules, loaded->module_id, nt_texts_intern(model->names.texts, name.text, name.length));
}

static void gc(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	nt_gc_apply(&model->gc, arrival->source, arrival->event, model->proc.target.mode, nt_arrival_stack(arrival));
	/* Histories that are told beside come and go: no difference between two of them says what was allocated. */
	if (!arrival->event->beside || arrival->event->kind != NT_EV_GC_HEAP_HISTORY)
		nt_alloc_apply(&model->alloc, arrival->event);
}

static void allocation(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	if (arrival->event->kind == NT_EV_ALLOC_TICK && !arrival->event->beside)
		return; /* somebody else's */
	nt_alloc_apply(&model->alloc, arrival->event);
	nt_allocations_sampled(&model->allocations, arrival->event, nt_arrival_text(arrival, arrival->event->u.alloc.type_name),
			       nt_arrival_stack(arrival), &model->names);
}

/* What becomes of an exception is told beside those that count. */
static void exception_goes_on(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	struct nt_exceptions *exceptions = &arrival->model->exceptions;
	if (event->kind == NT_EV_EXCEPTION_CATCH && !event->beside)
		nt_exceptions_caught(exceptions);
	else if (event->kind == NT_EV_EXCEPTION_CATCH)
		nt_thrown_caught(&exceptions->thrown, event->tid, nt_arrival_stack(arrival));
	else if (event->beside)
		nt_flights_step(&exceptions->thrown.flights, event->tid, (enum nt_exception_step)event->u.exception_step.op);
}

static void exception(const struct nt_arrival *arrival)
{
	enum { NESTED = 2 }; /* ExceptionThrownFlagsMap of the runtime's manifest */
	const struct nt_event *event = arrival->event;
	if (event->kind != NT_EV_EXCEPTION_THROWN) {
		exception_goes_on(arrival);
		return;
	}
	const struct nt_ev_exception *thrown = &event->u.exception;
	const struct nt_throw as = { .time = event->time,
				     .tid = event->tid,
				     .type = nt_arrival_keep(arrival, thrown->type),
				     .stack = nt_arrival_stack(arrival),
				     .nested = thrown->flags & NESTED };
	size_t length;
	const char *message = nt_heap_get(arrival->model->names.heap, nt_arrival_text(arrival, thrown->message), &length);
	if (event->beside)
		nt_exceptions_told(&arrival->model->exceptions, &as, message, length);
	else
		nt_exceptions_thrown(&arrival->model->exceptions, &as, message, length);
}

static void proc(const struct nt_arrival *arrival)
{
	nt_proc_read(&arrival->model->proc, arrival->event->time, &arrival->event->u.proc);
	nt_pool_read(&arrival->model->pool, &arrival->event->u.proc);
}

static void thread_stat(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	const char *name = nt_arrival_keep(arrival, event->u.thread_stat.name);
	nt_threads_read(&arrival->model->threads, event->tid, event->time, &event->u.thread_stat, name);
	nt_owners_thread(&arrival->model->owners, event->tid, name);
	nt_jit_background_read(&arrival->model->jit.background, event->tid, &event->u.thread_stat, name);
}

static void io(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	struct nt_io *io = &arrival->model->io;
	if (event->kind == NT_EV_IO)
		nt_io_read(io, event->time, &event->u.io);
	else if (event->kind == NT_EV_DESCRIPTOR)
		nt_io_found(io, event->time, &event->u.descriptor, nt_arrival_keep(arrival, event->u.descriptor.what));
	else if (event->kind == NT_EV_CALLS)
		nt_io_called(io, event->time, &event->u.calls, nt_arrival_keep(arrival, event->u.calls.what));
	else if (event->kind == NT_EV_CALLER)
		nt_io_call_looked_at(io, &event->u.caller, nt_arrival_keep(arrival, event->u.caller.what), nt_arrival_stack(arrival));
	else if (event->kind == NT_EV_CALLS_TOLD)
		nt_io_calls_told(io, event->time, &event->u.calls_told, nt_arrival_keep(arrival, event->u.calls_told.reason),
				 nt_arrival_keep(arrival, event->u.calls_told.fix));
	else
		nt_io_looked(io, event->time, &event->u.descriptors, nt_arrival_keep(arrival, event->u.descriptors.reason));
}

static void of_requests(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	const struct nt_ev_request none = { 0 }, *told = event->kind == NT_EV_REQUEST ? &event->u.request : &none;
	nt_str text = event->kind == NT_EV_REQUEST_MADE ? event->u.request_made.peer : told->method;
	nt_requests_each(&arrival->model->requests, event, nt_arrival_keep(arrival, text), nt_arrival_keep(arrival, told->path));
}

static void lost(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	struct nt_process_model *model = arrival->model;
	nt_sources_lost(&model->sources, arrival->source, &event->u.lost);
	if (arrival->source == NT_SOURCE_PERF)
		nt_jit_cpu_lost(&model->jit.cpu, event->time);
	if (!event->u.lost.of || event->u.lost.of & (NT_WANT_RUNTIME_EVENTS | NT_WANT_LOCK_EVENTS))
		nt_lock_waits_lost(&model->lock_waits, arrival->source, event->time);
	if (event->u.lost.of == NT_WANT_TOLD)
		nt_told_lost(&model->told, &event->u.lost, event->time);
	if (arrival->source == NT_SOURCE_EVENTPIPE)
		nt_flights_forget(&model->exceptions.thrown.flights);
	if (arrival->source == NT_SOURCE_EVENTPIPE && (!event->u.lost.of || event->u.lost.of & NT_WANT_POOL_ITEMS))
		nt_work_items_lost(&model->pool.items);
	if (arrival->source == NT_SOURCE_EVENTPIPE)
		nt_requests_lost(&model->requests, event->u.lost.of ? event->u.lost.of : UINT32_MAX, event->time);
}

static void cover(const struct nt_arrival *arrival)
{
	const struct nt_ev_cover *said = &arrival->event->u.cover;
	/* Nothing of before the begin is told, whoever was there. */
	nt_time time = nt_arrival_is_before(arrival) ? arrival->model->shared->config->start : arrival->event->time;
	if (!nt_arrival_is_apart(arrival->source, said->what))
		nt_coverage_told(&arrival->model->coverage, arrival->source, time, said);
	if (arrival->source == NT_SOURCE_EVENTPIPE)
		nt_requests_covered(&arrival->model->requests, said, time);
	if (arrival->source == NT_SOURCE_EVENTPIPE && said->what & NT_WANT_POOL_ITEMS)
		nt_work_items_covered(&arrival->model->pool.items, said->covered, time);
}

/* A library says what the program may do. */
static void map(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	nt_text_ref image = nt_arrival_text(arrival, arrival->event->u.map.image);
	size_t length;
	const char *path = nt_heap_get(model->names.heap, image, &length);
	nt_requests_mapped(&model->requests, path, length);
	nt_resolver_add_map(model->resolver, &arrival->event->u.map, image, arrival->event->time);
}

static void pool(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	struct nt_process_model *model = arrival->model;
	nt_pool_apply(&model->pool, event);
	if (event->kind == NT_EV_POOL_WORKERS)
		nt_threads_pool_worker(&model->threads, event->tid, event->time, event->u.pool_workers.op == NT_POOL_WAIT);
}

static void lock(const struct nt_arrival *arrival)
{
	nt_lock_waits_apply(&arrival->model->lock_waits, arrival->source, arrival->event, nt_arrival_stack(arrival));
}

/* Where a thread waits, as somebody asks for it who writes stacks of blocked time; else NULL. */
static struct nt_chain *blocked_at(const struct nt_arrival *arrival, nt_stack stack)
{
	return nt_off_cpu_is_wanted(&arrival->model->off_cpu) ? nt_ids_chain_of(arrival->ids, stack, NT_SAMPLES_MOMENTS) : NULL;
}

static void look(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	if (event->kind == NT_EV_STACK) {
		nt_waits_apply(&arrival->model->waits, event, nt_arrival_stack(arrival), blocked_at(arrival, event->stack),
			       nt_arrival_keep(arrival, event->u.found.what));
		return;
	}
	struct nt_chain *chain = nt_ids_chain(arrival->ids, event->u.wake.stack);
	nt_waits_apply(&arrival->model->waits, event, nt_sites_note(&arrival->model->sites, chain, event->time), NULL, NULL);
}

/*
 * Where switches are told only to say what compilations cost, they have no stacks, and are not those of all threads. Where waits are asked for nobody asks what compilations cost: nothing of ten
 * seconds of switches is kept for that.
 */
static void switched(const struct nt_arrival *arrival)
{
	struct nt_process_model *model = arrival->model;
	const struct nt_event *event = arrival->event;
	if (!model->waits.exact) {
		nt_jit_cpu_switched(&model->jit.cpu, event->tid, event->time, event->u.switched.on);
		return;
	}
	struct nt_chain *chain = event->u.switched.on ? NULL : nt_ids_chain(arrival->ids, event->u.switched.stack);
	nt_waits_apply(&model->waits, event, nt_sites_note(&model->sites, chain, event->time),
		       event->u.switched.on ? NULL : blocked_at(arrival, event->u.switched.stack), NULL);
}

static void managed_thread(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	if (event->kind == NT_EV_CLR_THREAD_CREATED)
		nt_threads_created(&arrival->model->threads, event->tid, event->time, event->u.clr_thread.flags);
}

/* An event of a subject: the table of subjects says whose. */
static void take(const struct nt_arrival *arrival)
{
	static void (*const takes[NT_SUBJECT_COUNT])(const struct nt_arrival *arrival) = {
		[NT_SUBJECT_CPU] = cpu,
		[NT_SUBJECT_THREADS] = managed_thread,
		[NT_SUBJECT_GC] = gc,
		[NT_SUBJECT_ALLOC] = allocation,
		[NT_SUBJECT_JIT] = jit,
		[NT_SUBJECT_POOL] = pool,
		[NT_SUBJECT_EXCEPTIONS] = exception,
		[NT_SUBJECT_LOCKS] = lock,
		[NT_SUBJECT_WAITS] = look,
	};
	enum nt_subject_id subject = nt_owners_subject(&arrival->model->owners, arrival->event->kind);
	if (subject < NT_SUBJECT_COUNT && takes[subject])
		takes[subject](arrival);
}

static const char *text_of(const struct nt_shown_event *shown, nt_str id, size_t *length)
{
	const struct nt_names *names = shown->names;
	return nt_heap_get(names->heap, nt_ids_text(shown->ids, id), length);
}

static void show(const struct nt_arrival *arrival)
{
	const struct nt_shared *shared = arrival->model->shared;
	const struct nt_shown_event shown = {
		.source = arrival->source, .event = arrival->event, .text = text_of, .ids = arrival->ids, .names = &arrival->model->names
	};
	shared->see(shared->see_context, &shown);
}

void nt_process_model_dispatch(struct nt_process_model *model, enum nt_source_id source, const struct nt_event *event, struct nt_ids *ids,
			       const struct nt_batch *batch)
{
	const struct nt_arrival arrival = { .model = model, .source = source, .batch = batch, .event = event, .ids = ids };
	nt_told_see(&model->told, source, event, ids, &model->names);
	if (model->shared->see)
		show(&arrival);
	switch (event->kind) {
	case NT_EV_SOURCE_STATE:
		source_state(&arrival);
		break;
	case NT_EV_LOST:
		lost(&arrival);
		break;
	case NT_EV_IDLE:
		if (source == NT_SOURCE_PERF)
			nt_jit_cpu_told_until(&model->jit.cpu, event->time);
		break;
	case NT_EV_SWITCH:
		switched(&arrival);
		break;
	case NT_EV_COVER:
		cover(&arrival);
		break;
	case NT_EV_THREAD:
		thread(&arrival);
		break;
	case NT_EV_PROC:
		proc(&arrival);
		break;
	case NT_EV_THREAD_STAT:
		thread_stat(&arrival);
		break;
	case NT_EV_THREAD_ALLOCATED:
		nt_threads_allocated(&model->threads, event->tid, event->time, event->u.thread_allocated.bytes);
		break;
	case NT_EV_IO:
	case NT_EV_DESCRIPTOR:
	case NT_EV_DESCRIPTORS:
	case NT_EV_CALLS:
	case NT_EV_CALLER:
	case NT_EV_CALLS_TOLD:
		io(&arrival);
		break;
	case NT_EV_HOST:
		nt_host_machine(&model->host, event->time, &event->u.host, nt_arrival_keep(&arrival, event->u.host.other_name));
		break;
	case NT_EV_CGROUP:
		nt_host_group(&model->host, event->time, &event->u.cgroup);
		break;
	case NT_EV_SELF:
		nt_proc_read_self(&model->proc, event->time, &event->u.self);
		break;
	case NT_EV_TARGET:
		target(&arrival);
		break;
	case NT_EV_MAP:
		map(&arrival);
		break;
	case NT_EV_CODE:
		nt_dispatch_code(&arrival);
		break;
	case NT_EV_FILE:
		nt_sources_file(&model->sources, arrival.source, &event->u.file);
		break;
	case NT_EV_CODE_END:
		nt_resolver_end_code(model->resolver, &event->u.code_end, event->time);
		break;
	case NT_EV_NAME:
		nt_dispatch_name(&arrival);
		break;
	case NT_EV_RUNDOWN:
		nt_rundowns_ended(&model->rundowns, &event->u.rundown, nt_arrival_keep(&arrival, event->u.rundown.reason));
		break;
	case NT_EV_GC_SETTING:
		nt_gc_settings_said(&model->gc_settings, &event->u.gc_setting);
		break;
	case NT_EV_JIT_SETTING:
		nt_jit_startup_setting(&model->jit.startup, &event->u.jit_setting);
		break;
	case NT_EV_ASSEMBLY:
		nt_dispatch_assembly(&arrival);
		break;
	case NT_EV_IL_MAP:
		nt_dispatch_il_map(&arrival);
		break;
	case NT_EV_SOURCE_LINES:
		nt_dispatch_source_lines(&arrival);
		break;
	case NT_EV_COUNTER:
		nt_dispatch_counter(&arrival);
		break;
	case NT_EV_INSTRUMENT:
		nt_dispatch_instrument(&arrival);
		break;
	case NT_EV_ACTIVITY:
	case NT_EV_CONNECTIONS:
	case NT_EV_REQUEST:
	case NT_EV_REQUEST_MADE:
		of_requests(&arrival);
		break;
	case NT_EV_POOL_ITEM:
		nt_work_items_apply(&model->pool.items, event);
		break;
	case NT_EV_MODULE_LOAD:
		module(&arrival);
		break;
	case NT_EV_TOLD:
	case NT_EV_TOLD_MORE:
	case NT_EV_TELLING:
		nt_told_apply(&model->told, batch, event, event->stack ? nt_arrival_stack(&arrival) : 0, ids, &model->names);
		break;
	default: /* of a subject, or counted by its source: no subject uses it yet */
		take(&arrival);
		break;
	}
}
