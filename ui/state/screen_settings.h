/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a person has chosen on the screen and wants to find there again, as settings: a key, and what it is set to, both as text. One table (screen_settings.c): the file of settings,
 * `nettop config` and the manual page read it.
 */
#ifndef NT_UI_SCREEN_SETTINGS_H
#define NT_UI_SCREEN_SETTINGS_H

#include "nettop/clock.h"
#include "nettop/column.h"
#include "nettop/status.h"
#include "nettop/theme_name.h"
#include "ui/screen/layout.h"
#include "ui/views/views.h"

/* Of one table: its screen's. */
struct nt_table_settings {
	uint64_t columns;             /* the set that is shown */
	const struct nt_column *sort; /* NULL: the table's own order */
	bool ascending;
	unsigned hide; /* enum nt_hide bits */
};

struct nt_settings {
	enum nt_theme theme;
	bool mouse, ascii, slow, plain;
	nt_time interval_ns;
	enum nt_window window;
	enum nt_header header;
	bool raw_names, native;
	struct nt_table_settings tables[NT_VIEW_COUNT];
	size_t groupings[NT_VIEW_TABS]; /* the view that the key of a tab opens */
};

enum { NT_SETTING_KEY_BYTES = 64, NT_SETTING_VALUE_BYTES = 2048 };

/* One of the settings that there are. */
struct nt_setting {
	const struct nt_setting_kind *kind; /* private */
	size_t view;
	char key[NT_SETTING_KEY_BYTES];
};

/* As everything is that nobody has chosen. */
void nt_settings_usual(struct nt_settings *out);

/* The setting at `index`, from 0; false: there are no more. */
bool nt_setting_at(size_t index, struct nt_setting *out);

/* The setting of that key; false: there is none. */
bool nt_setting_called(const char *key, struct nt_setting *out);

/* What it is for, and what it may be: sentences, for people. Settings that are alike for several tables have the same. */
const char *nt_setting_help(const struct nt_setting *setting);

/* What it is set to. */
void nt_setting_get(const struct nt_setting *setting, const struct nt_settings *settings, char out[NT_SETTING_VALUE_BYTES]);

/* Set it. USAGE for what it cannot be, with what it can in `err`; the settings are as before then. */
enum nt_status nt_setting_set(const struct nt_setting *setting, struct nt_settings *settings, const char *value, struct nt_error *err);

#endif
