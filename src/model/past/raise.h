/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot made again from its nodes. */
#ifndef NT_MODEL_PAST_RAISE_H
#define NT_MODEL_PAST_RAISE_H

#include "model/past/nodes.h"
#include "nettop/snapshot.h"

/* The snapshot whose node has this number: the caller's, with one reference; all of it is its own. */
struct nt_snapshot *nt_raise(const struct nt_nodes *nodes, uint32_t number);

/* The same, but of what lies behind pointers only the kept samples of its processes: all other pointers are NULL, whatever counts say how many there are behind them. */
struct nt_snapshot *nt_raise_samples(const struct nt_nodes *nodes, uint32_t number);

#endif
