/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells that the lists of processes have in common, whether they are watched or not: read functions, each list's own. */
#ifndef NT_OUTPUT_PROCESS_CELLS_H
#define NT_OUTPUT_PROCESS_CELLS_H

#include "nettop/process_row.h"
#include "output/columns/cell.h"

static inline const struct nt_process_row *nt_process_of(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(pid, nt_process_of(row)->pid ? nt_cell_u(nt_process_of(row)->pid) : nt_cell_unknown())
NT_CELL_OF_ROW(name, nt_cell_text(nt_process_of(row)->name))
NT_CELL_OF_ROW(user, nt_cell_text(nt_process_of(row)->user))
NT_CELL_OF_ROW(runtime, nt_cell_text(nt_process_of(row)->runtime))
NT_CELL_OF_ROW(uptime_ns, nt_cell_of_u64(nt_process_of(row)->uptime_ns))
NT_CELL_OF_ROW(cpu_pct, nt_cell_of_f64(nt_process_of(row)->cpu_pct))
/* What all others use, and idle CPUs, is on no scale with processes. */
NT_CELL_OF_ROW(trend, nt_process_of(row)->kind == NT_PROCESS_ROW ? nt_cell_trend(&nt_process_of(row)->trend) : nt_cell_unknown())
NT_CELL_OF_ROW(rss_bytes, nt_cell_of_u64(nt_process_of(row)->rss_bytes))
NT_CELL_OF_ROW(thread_count, nt_cell_of_u64(nt_process_of(row)->thread_count))
NT_CELL_OF_ROW(command, nt_cell_text(nt_process_of(row)->command))
NT_CELL_OF_ROW(cpu_ns, nt_cell_of_u64(nt_process_of(row)->cpu_ns))

static inline uint64_t nt_process_row_id(const void *row)
{
	return nt_process_of(row)->id;
}

static inline const char *nt_process_row_name(const void *row)
{
	return nt_process_of(row)->name;
}

#endif
