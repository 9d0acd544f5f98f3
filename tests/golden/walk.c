// SPDX-License-Identifier: GPL-2.0-only
#include "walk.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "fixture.h"
#include "rules.h"
#include "ui/act/ui.h"
#include "ui/state/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTH = 220, MOST_HEIGHT = 70, WALKS_PER_LIST = 4 };

struct walker {
	uint64_t state;
	struct nt_ui *ui;
	struct nt_grid grid;
	nt_time now;
	int width, height;
	bool list; /* of processes, in place of one process */
};

static uint64_t draw_lots(struct walker *walker, uint64_t below)
{
	walker->state += UINT64_C(0x9e3779b97f4a7c15);
	return nt_hash_mix(walker->state) % below;
}

static nt_key any_key(struct walker *walker)
{
	/* Mostly keys that mean something. */
	if (draw_lots(walker, 4)) {
		const struct nt_key_entry *entry = &nt_key_table[draw_lots(walker, nt_key_table_count)];
		return entry->keys[draw_lots(walker, NT_KEYS_PER_ENTRY)];
	}
	return draw_lots(walker, 3) ? (nt_key)draw_lots(walker, 128) : (nt_key)draw_lots(walker, NT_KEY_OTHER + 2);
}

static struct nt_snapshot *any_snapshot(struct walker *walker)
{
	static struct nt_snapshot *(*const fixtures[])(void) = { fixture_shop,         fixture_shop_later,  fixture_shop_ended,
								 fixture_shop_crashed, fixture_procfs_only, fixture_first_frame,
								 fixture_hostile,      fixture_huge,        fixture_troubled };
	static struct nt_snapshot *(*const lists[])(void) = { fixture_processes, fixture_processes_later, fixture_no_processes,
							      fixture_watched };
	return walker->list ? lists[draw_lots(walker, sizeof(lists) / sizeof(lists[0]))]()
			    : fixtures[draw_lots(walker, sizeof(fixtures) / sizeof(fixtures[0]))]();
}

static void step(struct walker *walker)
{
	uint64_t what = draw_lots(walker, 20);
	walker->now += draw_lots(walker, 3 * NT_NS_PER_S);
	if (what == 0) {
		struct nt_snapshot *snapshot = any_snapshot(walker);
		nt_ui_snapshot(walker->ui, snapshot, walker->now);
		nt_snapshot_release(snapshot);
	} else if (what == 1) {
		walker->width = 1 + (int)draw_lots(walker, MOST_WIDTH);
		walker->height = 1 + (int)draw_lots(walker, MOST_HEIGHT);
		nt_ui_resize(walker->ui, walker->width, walker->height);
	} else if (what == 2) {
		nt_ui_tick(walker->ui, walker->now);
	} else {
		nt_ui_handle(walker->ui, any_key(walker), walker->now);
	}
}

/* NULL when the screen is as it must be, and drawing it has changed nothing of what it was drawn from. */
static const char *draw(struct walker *walker, struct nt_ui *before)
{
	memcpy(before, walker->ui, sizeof(*before));
	nt_ui_render(walker->ui, &walker->grid);
	if (memcmp(before, walker->ui, sizeof(*before)) != 0)
		return "drawing changes the state";
	return grid_problem(&walker->grid, walker->width, walker->height);
}

bool walk(uint64_t seed, int steps)
{
	bool list = seed % WALKS_PER_LIST == 0;
	const struct nt_ui_config config = {
		.list = list, .pid = 4711, .name = "shop-web", .interval_ns = NT_NS_PER_S, .log = fixture_log()
	};
	struct walker walker = { .state = seed, .ui = nt_ui_new(&config), .now = FIXTURE_START, .width = 80, .height = 24, .list = list };
	struct nt_ui *before = nt_alloc(sizeof(*before));
	const char *problem = NULL;
	nt_grid_init(&walker.grid, 1, 1);
	for (int i = 0; i < steps && !problem; i++) {
		step(&walker);
		problem = draw(&walker, before);
		if (problem)
			printf("FAIL golden: walk of seed %" PRIu64 ", step %d at %dx%d: %s\n", seed, i, walker.width, walker.height,
			       problem);
	}
	free(before);
	nt_grid_fini(&walker.grid);
	nt_ui_free(walker.ui);
	nt_log_free(config.log);
	return !problem;
}
