/* SPDX-License-Identifier: GPL-2.0-only */
/* What `nettop dump` and key D have the runtime write. */
#ifndef NETTOP_DUMP_KIND_H
#define NETTOP_DUMP_KIND_H

enum nt_dump_kind { NT_DUMP_FULL, NT_DUMP_HEAP, NT_DUMP_MINI, NT_DUMP_TRIAGE, NT_DUMP_REPORT, NT_DUMP_KIND_COUNT };

/* A word in lower case, as --type has it, and what is in it, for people. Never NULL; of a value out of range those of the first. */
const char *nt_dump_kind_name(unsigned kind);
const char *nt_dump_kind_words(unsigned kind);

#endif
