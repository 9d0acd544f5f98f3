// SPDX-License-Identifier: GPL-2.0-only
#include "fixture_rows.h"

/* The pictures' sparklines, as heights from 1 to 8; blank = not known. */
void fixture_shop_series(struct nt_process_snapshot *process)
{
	static const char *const heights[NT_SUBJECT_TILES] = {
		[NT_SUBJECT_CPU] = "223233567878",   [NT_SUBJECT_THREADS] = "111111111111",  [NT_SUBJECT_GC] = "111213567878",
		[NT_SUBJECT_ALLOC] = "222233577878", [NT_SUBJECT_JIT] = "211131111211",      [NT_SUBJECT_POOL] = "      223345",
		[NT_SUBJECT_LOCKS] = "111121121111", [NT_SUBJECT_REQUESTS] = "678877654433", [NT_SUBJECT_HOST] = "111111131118",
	};
	/* What a step of height is: the newest cell is what the tile says. */
	static const double steps[NT_SUBJECT_TILES] = {
		[NT_SUBJECT_CPU] = 73,  [NT_SUBJECT_GC] = 3.4,   [NT_SUBJECT_ALLOC] = 1.87e8,   [NT_SUBJECT_JIT] = 24,
		[NT_SUBJECT_POOL] = 53, [NT_SUBJECT_LOCKS] = 12, [NT_SUBJECT_REQUESTS] = 215.5, [NT_SUBJECT_HOST] = 5.4,
	};
	for (int i = 0; i < NT_SUBJECT_TILES; i++)
		for (size_t cell = 0; heights[i] && heights[i][cell]; cell++)
			if (heights[i][cell] != ' ')
				process->series[i].cells[cell] = nt_f64_of((heights[i][cell] - '1') * steps[i]);
}
