/* SPDX-License-Identifier: GPL-2.0-only */
/* Where things are on a screen of a given size (screens, sections 2 and 6). Pure: sizes in, lines out. */
#ifndef NT_UI_LAYOUT_H
#define NT_UI_LAYOUT_H

#include <stdbool.h>

enum { NT_LEAST_WIDTH = 40, NT_LEAST_HEIGHT = 10, NT_TILES = 10 };

/* How much of the header there is (key B). */
enum nt_header {
	NT_HEADER_BY_SIZE,
	NT_HEADER_FULL,
	NT_HEADER_SHORT, /* identity, one line of headlines, finding */
	NT_HEADER_LINE,  /* identity alone */
	NT_HEADER_LIST,  /* of the list of processes: one line, and no tab bar */
};

enum nt_tiles_form {
	NT_TILES_PAIRS,     /* two tiles per line */
	NT_TILES_SINGLE,    /* one per line: CPU, GC and the marked ones */
	NT_TILES_HEADLINES, /* labels and headlines in one line */
	NT_TILES_NONE,
};

struct nt_layout {
	int width, height;
	bool too_small;           /* one line says so, nothing else holds */
	enum nt_header header;    /* what it has become, never BY_SIZE */
	enum nt_tiles_form tiles; /* lines 1 .. tiles_height */
	int tiles_height;
	int tile_count;              /* in pairs: the last ones have no room on a short screen */
	int spark_cells, fact_cells; /* of one tile */
	bool no_sparks;              /* a slow line: what is drawn of the past is left out */
	bool wide;                   /* 120 columns or more: long forms */
	int side_width;              /* of what stands beside the table where the screen has something; 0 = there is no room */
	bool compact;                /* below 60 columns: first number, kind, name */
	bool short_hints;            /* the context line has keys without words */
	int finding_y, tabs_y;       /* -1: not there */
	int end_height;              /* lines below the finding's: of what the target died */
	int title_y, body_y, body_height, context_y;
};

/*
 * header: as somebody wants it; what leaves the body fewer than five lines is shortened all the same. marked: tiles out of their range besides CPU
 * and GC; they get lines of their own in the single form.
 */
void nt_layout_of(int width, int height, enum nt_header header, int marked, struct nt_layout *out);

/* Make room below the finding's line for `lines`, as far as the body keeps five. */
void nt_layout_add_end(struct nt_layout *layout, int lines);

/* What the key B asks for on this screen: the next shorter header, after the shortest the full one; BY_SIZE where that is the same. */
enum nt_header nt_layout_next_header(const struct nt_layout *now);

#endif
