/* SPDX-License-Identifier: GPL-2.0-only */
/* Random walks: any keys, on any snapshots, at any size; what must hold on every screen is checked after each step. */
#ifndef NT_TESTS_GOLDEN_WALK_H
#define NT_TESTS_GOLDEN_WALK_H

#include <stdbool.h>
#include <stdint.h>

/* False when a rule was broken; says which and where. The same seed walks the same way. */
bool walk(uint64_t seed, int steps);

#endif
