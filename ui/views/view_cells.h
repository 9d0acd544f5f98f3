/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of methods and modules and times in the cells of a table. */
#ifndef NT_UI_VIEW_CELLS_H
#define NT_UI_VIEW_CELLS_H

#include "nettop/column.h"

/* The text of a cell with a method's or a module's name, made safe and to fit; true, as nt_view.cell() answers. */
bool nt_view_method_cell(const char *name, int room, char *out, size_t size);
bool nt_view_module_cell(const char *name, int room, char *out, size_t size);

/* A method's name and its part of the whole: `Shop.Export.CsvWriter.Grow(int)  96%`. pct < 0: not known. */
bool nt_view_share_cell(const char *name, double pct, int room, char *out, size_t size);

/* A method's name made safe and to fit, followed by the reason where there is no name. */
void nt_view_name_and_reason(const char *name, const char *reason, int room, char *out, size_t size);

/* Time of day hh:mm:ss.mmm of a monotonic time, local; "" = not known. Returns out. */
const char *nt_view_exact_clock(const struct nt_column_context *context, nt_time time, char *out, size_t size);

/* A kind of code in four letters. */
const char *nt_view_short_kind(enum nt_code_kind kind);

#endif
