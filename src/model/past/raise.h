/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot made again from its nodes. */
#ifndef NT_MODEL_PAST_RAISE_H
#define NT_MODEL_PAST_RAISE_H

#include "model/past/nodes.h"
#include "nettop/snapshot.h"

/* The snapshot whose node has this number: the caller's, with one reference; all of it is its own. */
struct nt_snapshot *nt_raise(const struct nt_nodes *nodes, uint32_t number);

#endif
