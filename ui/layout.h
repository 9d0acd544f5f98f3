/* SPDX-License-Identifier: GPL-2.0-only */
/* Where things are on a screen of a given size (screens, sections 2 and 6). Pure: sizes in, lines out. */
#ifndef NT_UI_LAYOUT_H
#define NT_UI_LAYOUT_H

#include <stdbool.h>

enum { NT_LEAST_WIDTH = 40, NT_LEAST_HEIGHT = 10, NT_TILES = 8 };

enum nt_tiles_form {
	NT_TILES_PAIRS,     /* two tiles per line */
	NT_TILES_SINGLE,    /* one per line: CPU, GC and the marked ones */
	NT_TILES_HEADLINES, /* labels and headlines in one line */
};

struct nt_layout {
	int width, height;
	bool too_small;           /* one line says so, nothing else holds */
	enum nt_tiles_form tiles; /* lines 1 .. tiles_height */
	int tiles_height;
	int spark_cells, fact_cells; /* of one tile */
	bool wide;                   /* 120 columns or more: long forms */
	bool compact;                /* below 60 columns: first number, kind, name */
	bool short_hints;            /* the context line has keys without words */
	int finding_y, tabs_y;       /* tabs_y -1: no tab bar */
	int title_y, body_y, body_height, context_y;
};

/* marked: tiles out of their range besides CPU and GC; they get lines of their own in the single form. */
void nt_layout_of(int width, int height, int marked, struct nt_layout *out);

#endif
