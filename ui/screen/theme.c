// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/theme.h"

enum { DEFAULT = -1, BLACK = 0, YELLOW = 3, BLUE = 4, CYAN = 6, WHITE = 7 };

/* Screens, principle 11. The hues are amber and blue, told apart in every common colour blindness. Plain
 * text has the terminal's own colour in every palette: a fixed light grey cannot be read on a light background. */
static const struct nt_look looks[NT_PALETTE_COUNT][NT_STYLE_COUNT] = {
	[NT_PALETTE_MONO] = {
		[NT_STYLE_PLAIN]  = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_DIM]    = { DEFAULT, DEFAULT, NT_DIM },
		[NT_STYLE_MARK]   = { DEFAULT, DEFAULT, NT_BOLD },
		[NT_STYLE_ALERT]  = { DEFAULT, DEFAULT, NT_REVERSE },
		[NT_STYLE_STATE]  = { DEFAULT, DEFAULT, NT_REVERSE },
		[NT_STYLE_TITLE]  = { DEFAULT, DEFAULT, NT_REVERSE },
		[NT_STYLE_SORT]   = { DEFAULT, DEFAULT, NT_REVERSE | NT_BOLD | NT_UNDERLINE },
		[NT_STYLE_CURSOR] = { DEFAULT, DEFAULT, NT_REVERSE },
		[NT_STYLE_DEAD]   = { DEFAULT, DEFAULT, NT_DIM },
		[NT_STYLE_FRESH]  = { DEFAULT, DEFAULT, NT_BOLD },
	},
	[NT_PALETTE_16] = {
		[NT_STYLE_PLAIN]  = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_DIM]    = { DEFAULT, DEFAULT, NT_DIM },
		[NT_STYLE_MARK]   = { YELLOW, DEFAULT, NT_BOLD },
		[NT_STYLE_ALERT]  = { BLACK, YELLOW, 0 },
		[NT_STYLE_STATE]  = { WHITE, BLUE, 0 },
		[NT_STYLE_TITLE]  = { DEFAULT, DEFAULT, NT_REVERSE },
		[NT_STYLE_SORT]   = { DEFAULT, DEFAULT, NT_REVERSE | NT_BOLD },
		[NT_STYLE_CURSOR] = { BLACK, CYAN, 0 },
		[NT_STYLE_DEAD]   = { DEFAULT, DEFAULT, NT_DIM },
		[NT_STYLE_FRESH]  = { DEFAULT, DEFAULT, NT_BOLD },
	},
	[NT_PALETTE_256] = {
		[NT_STYLE_PLAIN]  = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_DIM]    = { 245, DEFAULT, 0 },
		[NT_STYLE_MARK]   = { 214, DEFAULT, 0 },
		[NT_STYLE_ALERT]  = { 16, 214, 0 },
		[NT_STYLE_STATE]  = { 231, 25, 0 },
		[NT_STYLE_TITLE]  = { 250, 237, 0 },
		[NT_STYLE_SORT]   = { 117, 237, NT_BOLD },
		[NT_STYLE_CURSOR] = { 16, 117, 0 },
		[NT_STYLE_DEAD]   = { 241, DEFAULT, 0 },
		[NT_STYLE_FRESH]  = { DEFAULT, DEFAULT, NT_BOLD },
	},
};

const struct nt_look *nt_theme_look(enum nt_palette palette, enum nt_style style)
{
	return &looks[palette][style];
}
