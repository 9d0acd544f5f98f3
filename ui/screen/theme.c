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
	[NT_PALETTE_DARK] = {
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
	[NT_PALETTE_LIGHT] = {
		[NT_STYLE_PLAIN]  = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_DIM]    = { 241, DEFAULT, 0 },
		[NT_STYLE_MARK]   = { 130, DEFAULT, NT_BOLD },
		[NT_STYLE_ALERT]  = { 16, 214, 0 },
		[NT_STYLE_STATE]  = { 231, 25, 0 },
		[NT_STYLE_TITLE]  = { 236, 252, 0 },
		[NT_STYLE_SORT]   = { 24, 252, NT_BOLD },
		[NT_STYLE_CURSOR] = { 231, 24, 0 },
		[NT_STYLE_DEAD]   = { 244, DEFAULT, 0 },
		[NT_STYLE_FRESH]  = { DEFAULT, DEFAULT, NT_BOLD },
	},
	/* Where both colours are nettop's they are as far apart as colours can be; else there is none. */
	[NT_PALETTE_CONTRAST] = {
		[NT_STYLE_PLAIN]  = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_DIM]    = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_MARK]   = { DEFAULT, DEFAULT, NT_BOLD | NT_UNDERLINE },
		[NT_STYLE_ALERT]  = { 16, 226, NT_BOLD },
		[NT_STYLE_STATE]  = { 231, 18, NT_BOLD },
		[NT_STYLE_TITLE]  = { 231, 16, NT_BOLD },
		[NT_STYLE_SORT]   = { 226, 16, NT_BOLD | NT_UNDERLINE },
		[NT_STYLE_CURSOR] = { 16, 123, NT_BOLD },
		[NT_STYLE_DEAD]   = { DEFAULT, DEFAULT, 0 },
		[NT_STYLE_FRESH]  = { DEFAULT, DEFAULT, NT_BOLD },
	},
};

enum nt_palette nt_theme_palette(enum nt_theme theme, int colors, bool light)
{
	if (theme == NT_THEME_MONO || colors < 8)
		return NT_PALETTE_MONO;
	if (colors < 256 || theme == NT_THEME_TERMINAL)
		return theme == NT_THEME_CONTRAST ? NT_PALETTE_MONO : NT_PALETTE_16;
	if (theme == NT_THEME_CONTRAST)
		return NT_PALETTE_CONTRAST;
	return theme == NT_THEME_LIGHT || (theme == NT_THEME_AUTO && light) ? NT_PALETTE_LIGHT : NT_PALETTE_DARK;
}

const struct nt_look *nt_theme_look(enum nt_palette palette, enum nt_style style)
{
	return &looks[palette][style];
}
