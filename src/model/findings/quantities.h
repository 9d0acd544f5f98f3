/* SPDX-License-Identifier: GPL-2.0-only */
/* What each quantity of the rules is called, in which unit it is, and how well it is known. For findings.c only. */
#ifndef NT_MODEL_QUANTITIES_H
#define NT_MODEL_QUANTITIES_H

#include "model/findings/evidence.h"
#include "nettop/finding.h"

struct nt_quantity_kind {
	const char *name, *unit; /* as in struct nt_finding_evidence */
	enum nt_confidence confidence;
};

/* Never NULL; the quantity must be one of those that there are. */
const struct nt_quantity_kind *nt_quantity_kind(enum nt_quantity quantity);

#endif
