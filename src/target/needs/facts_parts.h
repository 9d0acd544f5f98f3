/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of nt_facts_read_target(), each in a file of its own. Inside src/target/ only; all need facts->target. */
#ifndef NT_TARGET_FACTS_PARTS_H
#define NT_TARGET_FACTS_PARTS_H

#include "target/needs/facts.h"

void nt_facts_read_namespaces(struct nt_facts *facts); /* facts_namespaces.c */
void nt_facts_read_libraries(struct nt_facts *facts);  /* facts_libraries.c */

#endif
