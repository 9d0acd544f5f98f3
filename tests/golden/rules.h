/* SPDX-License-Identifier: GPL-2.0-only */
/* What must hold on every screen, whatever is on it. */
#ifndef NT_TESTS_GOLDEN_RULES_H
#define NT_TESTS_GOLDEN_RULES_H

#include "ui/screen/grid.h"

/* NULL when all is well, else what is wrong with a grid that was rendered for this size. Static. */
const char *grid_problem(const struct nt_grid *grid, int width, int height);

#endif
