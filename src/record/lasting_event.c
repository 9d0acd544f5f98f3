// SPDX-License-Identifier: GPL-2.0-only
#include "record/lasting_event.h"

#include "base/hash.h"

/* What a key is made of, without padding. */
struct of {
	uint64_t what, source, pid, tid, more[4];
};

enum { THREADS = NT_EV_LIMIT, METHODS };

static uint64_t key_of(const struct nt_batch *batch, const struct nt_event *event, uint64_t what, const uint64_t more[4])
{
	struct of of = { .what = what, .source = batch->source, .pid = event->pid, .tid = event->tid };
	for (size_t i = 0; more && i < 4; i++)
		of.more[i] = more[i];
	return nt_hash_bytes(&of, sizeof(of));
}

static uint64_t thread_key(const struct nt_event *event)
{
	const struct of of = { .what = THREADS, .pid = event->pid, .tid = event->tid };
	return nt_hash_bytes(&of, sizeof(of));
}

static uint64_t method_key(const struct nt_batch *batch, const struct nt_event *event)
{
	const struct of of = {
		.what = METHODS, .more = { event->u.method.method_id, event->u.method.start }, .source = batch->source, .pid = event->pid
	};
	return nt_hash_bytes(&of, sizeof(of));
}

/* Several things of a kind are told apart by these. */
static enum nt_fate last_of(const struct nt_batch *batch, const struct nt_event *event, uint64_t *key, uint64_t a, uint64_t b, uint64_t c,
			    uint64_t d)
{
	const uint64_t more[4] = { a, b, c, d };
	*key = key_of(batch, event, event->kind, more);
	return NT_FATE_LAST;
}

static enum nt_fate of_code(const struct nt_batch *batch, const struct nt_event *event, uint64_t *key)
{
	const struct nt_ev_name *name = &event->u.name;
	const struct nt_ev_instrument *instrument = &event->u.instrument;
	switch (event->kind) {
	case NT_EV_CODE:
	case NT_EV_CODE_END:
		return NT_FATE_STAYS;
	case NT_EV_MAP:
		return last_of(batch, event, key, event->u.map.start, 0, 0, 0);
	case NT_EV_NAME: /* of code that may be freed it is given again and again, for a longer time each */
		return last_of(batch, event, key, name->start, name->end, name->inode, name->from);
	case NT_EV_ASSEMBLY:
		return last_of(batch, event, key, event->u.assembly.start, 0, 0, 0);
	case NT_EV_IL_MAP:
		return last_of(batch, event, key, event->u.il_map.asked, 0, 0, 0);
	case NT_EV_SOURCE_LINES:
		return last_of(batch, event, key, event->u.source_lines.asked, 0, 0, 0);
	case NT_EV_METHOD_LOAD: /* it names the method */
		*key = method_key(batch, event) + 1;
		return NT_FATE_LAST;
	case NT_EV_METHOD_UNLOAD:
		*key = method_key(batch, event);
		return NT_FATE_ENDS;
	case NT_EV_MODULE_LOAD:
		return last_of(batch, event, key, event->u.module_load.module_id, 0, 0, 0);
	case NT_EV_INSTRUMENT: /* ids are those of the epoch */
		return last_of(batch, event, key, instrument->provider, instrument->name, instrument->number, batch->epoch);
	default:
		return NT_FATE_GOES;
	}
}

enum nt_fate nt_event_fate(const struct nt_batch *batch, const struct nt_event *event, uint64_t *key)
{
	*key = 0;
	switch (event->kind) {
	case NT_EV_END: /* of a session that is over */
	case NT_EV_ASK:
	case NT_EV_DESCRIPTOR: /* looked at in each interval */
	case NT_EV_LOCK_STATE:
		return NT_FATE_GOES;
	case NT_EV_COVER:
		return last_of(batch, event, key, event->u.cover.what, 0, 0, 0);
	case NT_EV_GC_SETTING:
		return last_of(batch, event, key, event->u.gc_setting.setting, 0, 0, 0);
	case NT_EV_CLR_THREAD_CREATED: /* it says what sort of thread it is */
		return last_of(batch, event, key, 0, 0, 0, 0);
	case NT_EV_THREAD:
		if (event->u.thread.op != NT_THREAD_ENDED)
			return last_of(batch, event, key, event->u.thread.op, 0, 0, 0);
		*key = thread_key(event);
		return NT_FATE_ENDS;
	default:
		break;
	}
	enum nt_fate fate = of_code(batch, event, key);
	if (fate != NT_FATE_GOES || nt_event_attributes[event->kind].holds != NT_EVENT_STATE)
		return fate;
	return last_of(batch, event, key, 0, 0, 0, 0);
}

bool nt_event_is_of_code(const struct nt_event *event)
{
	return (event->kind >= NT_EV_CODE && event->kind <= NT_EV_RUNDOWN) || event->kind == NT_EV_METHOD_LOAD ||
	       event->kind == NT_EV_METHOD_UNLOAD;
}

uint64_t nt_event_ends_with(const struct nt_batch *batch, const struct nt_event *event)
{
	switch (event->kind) {
	case NT_EV_METHOD_LOAD:
		return method_key(batch, event);
	case NT_EV_THREAD:
	case NT_EV_THREAD_STAT:
	case NT_EV_THREAD_ALLOCATED:
	case NT_EV_CLR_THREAD_CREATED:
		return thread_key(event);
	default:
		return 0;
	}
}
