/* SPDX-License-Identifier: GPL-2.0-only */
/* Intervals of which one figure is known, for tests of the screen of time. Everything is static, because each test is one program. */
#ifndef TEST_UI_MINUTES_H
#define TEST_UI_MINUTES_H

#include "build.h"

#include "base/alloc.h"
#include "ui/state/state.h"

/* Its `ui` would be in the way of what is declared above. */
#include "pressed.h"

enum { CPU = FIRST_ROW, GC, JIT_LINE, WAITS, REQUESTS, FINDINGS, CLOCKS, PLACE, LABEL = 10, COLUMNS = WIDTH - 10 - 14 };

static inline nt_time end_of(uint64_t sequence)
{
	return START + sequence * NT_NS_PER_S;
}

/* An interval of a second. */
static inline struct nt_snapshot *interval(uint64_t sequence, double cpu_pct)
{
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	*snapshot = (struct nt_snapshot){
		.sequence = sequence, .start = START, .t0 = end_of(sequence - 1), .t1 = end_of(sequence), .refs = 1, .process_count = 1
	};
	snapshot->processes = nt_alloc(sizeof(*snapshot->processes));
	snapshot->processes->interval.cpu.usage_pct = nt_f64_of(cpu_pct);
	return snapshot;
}

/* `count` more, of which the one with number `peak` used a CPU, and all others nothing. */
static inline void pass(uint64_t count, uint64_t peak)
{
	for (uint64_t i = 0; i < count; i++) {
		show_taken(interval(next_sequence, next_sequence == peak ? 100 : 0));
		next_sequence++;
	}
}

/* In which column the line has this sign, from 0; -1: in none. */
static inline int column_of(int y, const char *sign)
{
	const char *text = line(y), *at = strstr(text, sign);
	int cells = 0;
	for (const char *p = text; at && p < at; p++)
		cells += ((unsigned char)*p & 0xc0) != 0x80;
	return at ? cells - LABEL : -1;
}

/* The column of a second, where the newest is `newest` and columns are so many seconds long: they begin at whole multiples of that. */
static inline int column_with(uint64_t sequence, uint64_t newest, uint64_t step)
{
	uint64_t start = START / NT_NS_PER_S;
	return COLUMNS - 1 - (int)((start + newest - 1) / step - (start + sequence - 1) / step);
}

static inline int row_with(const char *part)
{
	int y = 0;
	while (y < grid.height && !has(y, part))
		y++;
	return y;
}

/* The span that the screen asks for. */
static inline void check_span(nt_time from, nt_time to)
{
	assert_true(press(NT_KEY_ENTER) & NT_UI_MOMENT);
	struct nt_ui_moment wished = nt_ui_moment_wished(ui);
	assert_int_equal(wished.from, from);
	assert_int_equal(wished.to, to);
}

/* So many intervals of which one sample is known. */
static inline void pass_sampled(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct nt_snapshot *snapshot = interval(next_sequence++, 0);
		snapshot->processes->interval_samples.known = true;
		snapshot->processes->interval_samples.parts[0] = 1;
		show_taken(snapshot);
	}
}

#endif
