/* SPDX-License-Identifier: GPL-2.0-only */
/* Which providers of counters the target is asked for: key + on the screen of counters. Each returns effects. */
#ifndef NT_UI_PROVIDERS_H
#define NT_UI_PROVIDERS_H

#include "ui/state/state.h"

/* A line of the menu was chosen: it is asked for, or no more; of the last one the name is asked. */
unsigned nt_providers_choose(struct nt_ui *ui, size_t index, nt_time now);

/* A name was typed. */
unsigned nt_providers_named(struct nt_ui *ui, nt_time now);

#endif
