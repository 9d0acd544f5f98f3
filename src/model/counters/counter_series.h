/* SPDX-License-Identifier: GPL-2.0-only */
/* By which of their tags the series of one instrument differ: what one has to see of a row to know it from the others. */
#ifndef NT_MODEL_COUNTER_SERIES_H
#define NT_MODEL_COUNTER_SERIES_H

#include "nettop/counter_row.h"

#include <stddef.h>

/* Set `differ` of each row. Those of one provider and name stand together, as they do when rows are sorted by provider and label. */
void nt_series_tell_apart(struct nt_counter_row *rows, size_t count);

#endif
