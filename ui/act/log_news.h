/* SPDX-License-Identifier: GPL-2.0-only */
/* What of a new snapshot goes into the log. */
#ifndef NT_UI_LOG_NEWS_H
#define NT_UI_LOG_NEWS_H

#include "ui/state/state.h"

/* A snapshot has come: each thing is said once. */
void nt_log_news(struct nt_ui *ui, const struct nt_snapshot *snapshot, nt_time now);

#endif
