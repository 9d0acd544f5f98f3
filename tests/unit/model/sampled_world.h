/* SPDX-License-Identifier: GPL-2.0-only */
/* A model with the two sources that give CPU samples their names. */
#ifndef NT_TESTS_MODEL_SAMPLED_WORLD_H
#define NT_TESTS_MODEL_SAMPLED_WORLD_H

#include "build.h"

struct world {
	struct nt_model *model;
	struct feed perf, codemap;
};

static inline void begin(struct world *world)
{
	world->model = new_model();
	feed_init(&world->perf, world->model, NT_SOURCE_PERF);
	feed_init(&world->codemap, world->model, NT_SOURCE_CODEMAP);
	delivering(&world->perf);
	delivering(&world->codemap);
}

static inline void end(struct world *world)
{
	feed_fini(&world->perf);
	feed_fini(&world->codemap);
	nt_model_free(world->model);
}

/* The answer to a question for a name. */
static inline struct nt_ev_name *answer_name(struct world *w, double at, const char *image, uint64_t start, uint64_t end, const char *name,
					     const char *reason)
{
	nt_str image_id = text(&w->codemap, image), name_id = text(&w->codemap, name), reason_id = text(&w->codemap, reason);
	struct nt_ev_name *e = &event(&w->codemap, NT_EV_NAME, at, 0)->u.name;
	*e = (struct nt_ev_name){ .inode = image[0] == '[' ? 0 : 7,
				  .start = start,
				  .end = end,
				  .image = image_id,
				  .name = name_id,
				  .reason = reason_id,
				  .naming = name ? NT_NAMING_NAMED : NT_NAMING_STRIPPED,
				  .kind = image[0] == '[' ? NT_CODE_KERNEL : NT_CODE_NATIVE };
	return e;
}

/* Hand over what both have gathered, then close the interval. */
static inline struct nt_snapshot *close_all(struct world *w, double at)
{
	feed_send(&w->perf);
	feed_send(&w->codemap);
	return close_at(w->model, at);
}

#endif
