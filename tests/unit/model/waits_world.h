/* SPDX-License-Identifier: GPL-2.0-only */
/* A model of a shop whose threads wait, for tests of blocked time. */
#ifndef NT_TEST_WAITS_WORLD_H
#define NT_TEST_WAITS_WORLD_H

#include "build.h"

#include "nettop/source.h"

enum {
	SIZE = 0x100,
	CODE = 0x100000,
	WAIT = CODE,
	TOTAL = CODE + 0x1000,
	CHECKOUT = CODE + 0x2000,
	WORKER = CODE + 0x3000,
	MERGE = CODE + 0x4000
};

struct world {
	struct nt_model *model;
	struct feed map, runtime, perf, procfs;
	struct nt_snapshot *s;
};

static inline void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->map, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->runtime, w->model, NT_SOURCE_RUNTIME);
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	delivering(&w->map);
	map_image(&w->map, 0, CODE, 0x100000, "/memfd:doublemapper", NT_MAP_FILE | NT_MAP_JIT);
	code_line(&w->map, 0, WAIT, SIZE, "System.Threading.Tasks.Task.Wait()", NT_TIER_1);
	code_line(&w->map, 0, TOTAL, SIZE, "Shop.Cart.Total()", NT_TIER_1);
	code_line(&w->map, 0, CHECKOUT, SIZE, "Shop.Api.Checkout()", NT_TIER_1);
	code_line(&w->map, 0, WORKER, SIZE, "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()", NT_TIER_1);
	code_line(&w->map, 0, MERGE, SIZE, "Shop.Cart.Merge()", NT_TIER_1);
	feed_send(&w->map);
}

static inline void end(struct world *w)
{
	nt_snapshot_release(w->s);
	feed_fini(&w->map);
	feed_fini(&w->runtime);
	feed_fini(&w->perf);
	feed_fini(&w->procfs);
	nt_model_free(w->model);
}

static inline nt_stack stack_of(struct feed *feed, uint64_t leaf, uint64_t caller)
{
	const uint64_t addresses[] = { WAIT + 8, leaf + 8, caller + 8 };
	return nt_interner_stack(feed->interner, feed->batch, addresses, 0, 3);
}

static inline struct nt_ev_stack *look(struct world *w, double at, uint32_t tid, double since, double weight_ms, uint64_t leaf)
{
	nt_stack stack = stack_of(&w->runtime, leaf, CHECKOUT);
	struct nt_event *e = event(&w->runtime, NT_EV_STACK, at, tid);
	e->stack = stack;
	e->u.found = (struct nt_ev_stack){
		.weight_ns = (uint64_t)(weight_ms * (double)NT_NS_PER_MS), .since = ms(since), .wait = NT_WAIT_SIGNAL, .looks = 1
	};
	return &e->u.found;
}

static inline const struct nt_wait_row *row_at(const struct world *w, const char *site)
{
	const struct nt_process_snapshot *p = &w->s->processes[0];
	for (size_t i = 0; i < p->wait_count; i++)
		if (p->waits[i].site && strcmp(p->waits[i].site, site) == 0)
			return &p->waits[i];
	return NULL;
}

static inline const struct nt_wait_figures *close_interval(struct world *w, double at)
{
	feed_send(&w->runtime);
	feed_send(&w->perf);
	nt_snapshot_release(w->s);
	w->s = close_at(w->model, at);
	return &w->s->processes[0].interval.waits;
}

static inline void switched(struct world *w, double at, uint32_t tid, bool on, bool preempted, uint64_t leaf)
{
	nt_stack stack = on ? 0 : stack_of(&w->perf, leaf, CHECKOUT);
	event(&w->perf, NT_EV_SWITCH, at, tid)->u.switched = (struct nt_ev_switch){ .on = on, .preempted = preempted, .stack = stack };
}

static inline void brings(struct world *w, uint32_t what)
{
	struct nt_event *e = event(&w->perf, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state.state = NT_STATE_DELIVERING;
	e->u.source_state.open = true;
	e->u.source_state.brings = what;
	feed_send(&w->perf);
}

static inline void exact(struct world *w, bool on)
{
	brings(w, on ? NT_WANT_SWITCHES : 0);
}

#endif
