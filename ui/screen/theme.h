/* SPDX-License-Identifier: GPL-2.0-only */
/* Colour carries roles only, and each role is visible without it (screens, principle 11). */
#ifndef NT_UI_THEME_H
#define NT_UI_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/theme_name.h"

enum nt_style {
	NT_STYLE_PLAIN,  /* values */
	NT_STYLE_DIM,    /* labels, reasons of unknown values, stale, idle */
	NT_STYLE_MARK,   /* out of its range, growing loss */
	NT_STYLE_ALERT,  /* the finding line and its tile's headline */
	NT_STYLE_STATE,  /* not LIVE: paused, ended */
	NT_STYLE_TITLE,  /* title row, tab bar */
	NT_STYLE_SORT,   /* sorted column, active tab */
	NT_STYLE_CURSOR, /* selected row */
	NT_STYLE_DEAD,   /* tombstones */
	NT_STYLE_FRESH,  /* first interval of a row */
	NT_STYLE_COUNT
};

enum nt_palette { NT_PALETTE_MONO, NT_PALETTE_16, NT_PALETTE_DARK, NT_PALETTE_LIGHT, NT_PALETTE_CONTRAST, NT_PALETTE_COUNT };

enum nt_attribute { NT_BOLD = 1, NT_DIM = 2, NT_REVERSE = 4, NT_UNDERLINE = 8 };

/* Colours are indices of the terminal's palette; -1 = the terminal's default. */
struct nt_look {
	int16_t foreground, background;
	uint8_t attributes; /* enum nt_attribute bits */
};

/* What a theme is on a terminal that has so many colours; 0 = none. `light`: what it says of its background, for NT_THEME_AUTO. */
enum nt_palette nt_theme_palette(enum nt_theme theme, int colors, bool light);

/* How a role looks. */
const struct nt_look *nt_theme_look(enum nt_palette palette, enum nt_style style);

#endif
