// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: what happens to the screen, a byte each: a key of the table or a character, and a few that mean another size, another snapshot, a second later, the mouse, a character that is pasted. What must hold on every screen is looked
 * at after each; what is written (w) is read.
 */
#include "fuzz.h"

#include "../golden/fixture.h"
#include "../golden/rules.h"
#include "ui/act/ui.h"

enum { STEPS = 64 };

/* After each key all of a screen of 255 x 70 is drawn and looked at. */
FUZZ_STEPS(1 << 20, 1 << 20)

size_t fuzz_cut_step(size_t size)
{
	return size / 16 + 1;
}

struct screen {
	struct nt_ui *ui;
	struct nt_grid grid;
	nt_time now;
	int width, height;
	bool list;
};

static void show(struct screen *screen, uint8_t which)
{
	static struct nt_snapshot *(*const fixtures[])(void) = { fixture_shop, fixture_shop_later, fixture_shop_ended, fixture_hostile,
								 fixture_huge, fixture_troubled,   fixture_first_frame };
	static struct nt_snapshot *(*const lists[])(void) = { fixture_processes, fixture_processes_later, fixture_no_processes };
	struct nt_snapshot *snapshot = screen->list ? lists[which % (sizeof(lists) / sizeof(*lists))]()
						    : fixtures[which % (sizeof(fixtures) / sizeof(*fixtures))]();
	nt_ui_snapshot(screen->ui, snapshot, screen->now);
	nt_snapshot_release(snapshot);
}

static void step(struct screen *screen, uint8_t what, uint8_t more)
{
	enum { SIZE = 0xf0, SNAPSHOT, TICK, MOUSE, PASTED, TABLE_KEYS = 0x80 };
	unsigned effects = 0;
	screen->now += NT_NS_PER_S / 4;
	if (what == SIZE) {
		screen->width = 1 + more;
		screen->height = 1 + more % 70;
		nt_ui_resize(screen->ui, screen->width, screen->height);
	} else if (what == SNAPSHOT) {
		show(screen, more);
	} else if (what == TICK) {
		nt_ui_tick(screen->ui, screen->now += NT_NS_PER_S);
	} else if (what == MOUSE) {
		nt_key key = nt_key_mouse((enum nt_mouse)(more & 3), more * 37 % screen->width, more % screen->height);
		effects = nt_ui_handle(screen->ui, key, screen->now);
	} else if (what == PASTED) {
		effects = nt_ui_handle(screen->ui, more | NT_KEY_PASTED, screen->now);
	} else {
		const struct nt_key_entry *entry = &nt_key_table[(what - TABLE_KEYS) % (int)nt_key_table_count];
		effects = nt_ui_handle(screen->ui, what < TABLE_KEYS ? what : entry->keys[more % NT_KEYS_PER_ENTRY], screen->now);
	}
	if (effects & NT_UI_WRITE) {
		struct nt_listing listing;
		nt_ui_listing(screen->ui, &listing);
		nt_listing_fini(&listing);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	const struct nt_ui_config config = {
		.list = data[0] & 1, .pid = 4711, .name = "shop-web", .interval_ns = NT_NS_PER_S, .log = fixture_log()
	};
	struct screen screen = { .ui = nt_ui_new(&config), .now = FIXTURE_START, .width = 80, .height = 24, .list = config.list };
	nt_grid_init(&screen.grid, 1, 1);
	nt_ui_resize(screen.ui, screen.width, screen.height);
	show(&screen, data[0] >> 1);
	for (size_t i = 1; i < size && i < STEPS; i++) {
		step(&screen, data[i], i + 1 < size ? data[i + 1] : 0);
		nt_ui_render(screen.ui, &screen.grid);
		FUZZ_CHECK(!grid_problem(&screen.grid, screen.width, screen.height));
	}
	nt_grid_fini(&screen.grid);
	nt_ui_free(screen.ui);
	nt_log_free(config.log);
	return 0;
}
