/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whom the target is asked for counters: those that are asked for by themselves, each of which can be left out, and those that somebody named. The choice is a list as
 * --counters has it (nt_source_config.counters), and begins as that option says.
 */
#ifndef NT_UI_PROVIDER_CHOICE_H
#define NT_UI_PROVIDER_CHOICE_H

#include "ui/state/state.h"

/* What the target does for it. Measured at an interval of 1 s: System.Runtime as 29 counters of a Meter, and as EventCounters. */
#define NT_PRICE_COUNTERS "a counter of a Meter costs it ~0.02% of a CPU, an EventCounter 0.005%"

enum { NT_PROVIDER_BYTES = 256 };

struct nt_provider_line {
	char name[NT_PROVIDER_BYTES]; /* escaped; of the last line, behind which one is typed: "another ..." */
	bool on;
	bool fixed;       /* it cannot be left out */
	bool is_another;  /* it is that last line */
	const char *says; /* something about it */
};

size_t nt_provider_count(const struct nt_ui *ui);

/* `index` < nt_provider_count(). */
void nt_provider_at(const struct nt_ui *ui, size_t index, struct nt_provider_line *out);

/* The choice as it would be when that line is chosen, into `out`. False: it cannot be, and `out` says why. */
bool nt_provider_turned(const struct nt_ui *ui, size_t index, char *out, size_t size);

/* The choice with one more, as somebody typed it: what it is not asked to leave out any more, or a further name. False: there is no room. */
bool nt_provider_added(const struct nt_ui *ui, const char *name, char *out, size_t size);

#endif
