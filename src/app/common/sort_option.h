/* SPDX-License-Identifier: GPL-2.0-only */
/* --sort: by which columns tables stand from the start. */
#ifndef NT_APP_SORT_OPTION_H
#define NT_APP_SORT_OPTION_H

#include "app/common/options.h"

/* Add the column that `text` names, [TABLE.]COLUMN, to the list; a later one of the same table takes its place. USAGE, with what there is, when there is no such column. */
enum nt_status nt_sort_option(const char *text, const struct nt_column *sorts[NT_SORTS_MAX + 1], struct nt_error *err);

#endif
