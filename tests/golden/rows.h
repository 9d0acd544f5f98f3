/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of the screen as text. */
#ifndef NT_TESTS_GOLDEN_ROWS_H
#define NT_TESTS_GOLDEN_ROWS_H

#include "scenarios.h"
#include "ui/screen/grid.h"

#include <stdio.h>

void write_row(const struct nt_grid *grid, int y, enum form form, FILE *out);

#endif
