/* SPDX-License-Identifier: GPL-2.0-only */
/* A process in whose generated code there are samples, and somebody who reads what the runtime's data say of it. */
#ifndef NT_TESTS_MODEL_READ_WORLD_H
#define NT_TESTS_MODEL_READ_WORLD_H

#include "build.h"

enum { MEMORY = 0x70000, MEMORY_BYTES = 0x10000, METHOD = MEMORY + 0x1000, METHOD_BYTES = 0x100 };

struct world {
	struct nt_model *model;
	struct feed perf, codemap, runtime;
};

static inline void reader_says(struct world *w, double at, bool reads)
{
	event(&w->runtime, NT_EV_SOURCE_STATE, at, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = NT_WANT_LOOKS | (reads ? NT_WANT_METHOD_NAMES : 0) };
	feed_send(&w->runtime);
}

/* Memory of the JIT with a sample in it, of a process without a perf map. */
static inline void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->runtime, w->model, NT_SOURCE_RUNTIME);
	delivering(&w->perf);
	delivering(&w->codemap);
	reader_says(w, 0, true);
	map_image(&w->perf, 1, MEMORY, MEMORY_BYTES, "/memfd:doublemapper", NT_MAP_JIT);
	sample_at(&w->perf, 10, 1, METHOD + 0x10);
	feed_send(&w->perf);
	feed_send(&w->codemap);
}

static inline void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	feed_fini(&w->runtime);
	nt_model_free(w->model);
}

static inline struct nt_ev_name *answer(struct world *w, double at, uint64_t start, uint64_t length, const char *name)
{
	nt_str image = text(&w->runtime, NT_RUNTIME_IMAGE), id = text(&w->runtime, name);
	struct nt_ev_name *said = &event(&w->runtime, NT_EV_NAME, at, 0)->u.name;
	*said = (struct nt_ev_name){ .start = start,
				     .end = start + length,
				     .image = image,
				     .name = id,
				     .kind = NT_CODE_JIT,
				     .naming = name ? NT_NAMING_NAMED : NT_NAMING_CODE_UNNAMED };
	return said;
}

/* What a look has found in memory whose code may be freed. */
static inline void look(struct world *w, const char *name, double from, double until)
{
	answer(w, until, MEMORY, MEMORY_BYTES, NULL)->naming = NT_NAMING_PASSING;
	if (name) {
		struct nt_ev_name *said = answer(w, until, METHOD, METHOD_BYTES, name);
		said->from = ms(from);
		said->until = ms(until);
	}
	feed_send(&w->runtime);
}

/* None is needed, so nobody waits for its lines. */
static inline void no_map(struct world *w)
{
	event(&w->codemap, NT_EV_SOURCE_STATE, 0, 0)->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING };
	feed_send(&w->codemap);
}

/* Samples at these times, then the end of the interval. */
static inline struct nt_snapshot *sampled(struct world *w, double one, double other, double end)
{
	sample_at(&w->perf, one, 1, METHOD + 0x10);
	sample_at(&w->perf, other, 1, METHOD + 0x20);
	feed_send(&w->perf);
	return close_at(w->model, end);
}

static inline size_t questions_for(const struct nt_snapshot *s, const char *image)
{
	size_t count = 0;
	for (size_t i = 0; i < s->processes[0].question_count; i++)
		count += strcmp(s->processes[0].questions[i].image, image) == 0;
	return count;
}

#define FIRST  "void [shop] dynamicClass::first()[Optimized]"
#define SECOND "void [shop] dynamicClass::second()[Optimized]"

static inline uint64_t samples_of(const struct nt_snapshot *s, const char *name)
{
	uint64_t count = 0;
	for (size_t i = 0; i < s->processes[0].method_count; i++)
		if (strcmp(s->processes[0].methods[i].name, name) == 0)
			count += s->processes[0].methods[i].self_samples_all;
	return count;
}

#endif
