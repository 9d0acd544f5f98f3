/* SPDX-License-Identifier: GPL-2.0-only */
/* Room subject: the table of subjects: one row says what nettop tells of it. */
/* How the rows of subjects are written down. For src/subject/ only. */
#ifndef NT_SUBJECT_ROW_H
#define NT_SUBJECT_ROW_H

#include "nettop/snapshot.h"
#include "nettop/source.h"
#include "nettop/subject.h"

/* clang-format off */
#define COUNTER(section, key, member, help) { section, key, NT_FIGURE_U64, NT_COUNTER, offsetof(struct nt_figures, member), help }
#define GAUGE(section, key, member, help) { section, key, NT_FIGURE_U64, NT_GAUGE, offsetof(struct nt_figures, member), help }
#define STATE(section, key, member, help) { section, key, NT_FIGURE_U64, NT_STATE, offsetof(struct nt_figures, member), help }
#define MOST(section, key, member, help) { section, key, NT_FIGURE_U64, NT_MOST, offsetof(struct nt_figures, member), help }
#define MEAN(section, key, member, help) { section, key, NT_FIGURE_F64, NT_MEAN, offsetof(struct nt_figures, member), help }
#define STATE_SHARE(section, key, member, help) { section, key, NT_FIGURE_F64, NT_STATE, offsetof(struct nt_figures, member), help }
#define STATE_TEXT(section, key, member, help) { section, key, NT_FIGURE_TEXT, NT_STATE, offsetof(struct nt_figures, member), help }
#define SHARE(section, key, member, help) { section, key, NT_FIGURE_F64, NT_GAUGE, offsetof(struct nt_figures, member), help }
#define TEXT(section, key, member, help) { section, key, NT_FIGURE_TEXT, NT_GAUGE, offsetof(struct nt_figures, member), help }
/* clang-format on */
#define FIGURES(table) .figures = (table), .figure_count = sizeof(table) / sizeof((table)[0])

#endif
