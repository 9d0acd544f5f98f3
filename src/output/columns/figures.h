/* SPDX-License-Identifier: GPL-2.0-only */
/* The figures of struct nt_figures, described once: JSON members, the man page and the documents follow. */
#ifndef NT_OUTPUT_FIGURES_H
#define NT_OUTPUT_FIGURES_H

#include "nettop/snapshot.h"

enum nt_figure_type { NT_FIGURE_U64, NT_FIGURE_F64, NT_FIGURE_TEXT };

struct nt_figure {
	const char *section; /* JSON object */
	const char *key;     /* JSON member */
	enum nt_figure_type type;
	size_t offset; /* in struct nt_figures */
	const char *help;
};

extern const struct nt_figure nt_figures_table[];
extern const size_t nt_figures_count;

/* Why a section's figures are unknown: offset of its struct nt_why in struct nt_figures. */
struct nt_figure_why {
	const char *section;
	size_t offset;
};

extern const struct nt_figure_why nt_figure_whys[];
extern const size_t nt_figure_why_count;

#endif
