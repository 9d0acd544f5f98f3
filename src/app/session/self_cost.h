/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop itself costs: its own CPU time with the keeper's, and that of the LTTng daemons that serve it. */
#ifndef NT_APP_SELF_COST_H
#define NT_APP_SELF_COST_H

#include "app/keeper/keeper.h"
#include "nettop/event.h"
#include "nettop/source.h"

struct nt_self_cost;

struct nt_self_cost *nt_self_cost_new(const struct nt_keeper *keeper);
void nt_self_cost_free(struct nt_self_cost *cost); /* NULL is allowed */

/* CPU times since the start of nettop. Cheap: two system calls, and three small files for the others. */
void nt_self_cost_read(struct nt_self_cost *cost, struct nt_ev_self *out);

/* Add what a source has others do for it, and what it takes from the target: the latter is known while each source knows it, so target_known begins as true. */
void nt_self_cost_add(const struct nt_source_ops *ops, struct nt_source *source, struct nt_ev_self *out);

#endif
