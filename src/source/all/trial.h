/* SPDX-License-Identifier: GPL-2.0-only */
/* What no file tells and only a trial does: whether the kernel lets us sample, whether a session daemon answers. */
#ifndef NT_SOURCE_TRIAL_H
#define NT_SOURCE_TRIAL_H

#include "target/needs/facts.h"

/*
 * Fills what facts.h says is only told by a trial; for facts->target, or without one for nettop itself. Opens and closes an event, a BPF program and a
 * connection; changes nothing. After the readers of facts.h.
 */
void nt_facts_try(struct nt_facts *facts, unsigned perf_hz);

#endif
