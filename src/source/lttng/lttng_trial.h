/* SPDX-License-Identifier: GPL-2.0-only */
/* Of what only a trial tells (source/all/trial.h) the part that LTTng depends on. */
#ifndef NT_SOURCE_LTTNG_TRIAL_H
#define NT_SOURCE_LTTNG_TRIAL_H

#include "target/needs/facts.h"

/* Fills what facts.h says is only told by a trial, of LTTng's. Opens and closes a connection; changes nothing. */
void nt_facts_try_lttng(struct nt_facts *facts);

#endif
