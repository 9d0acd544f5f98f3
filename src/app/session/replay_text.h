/* SPDX-License-Identifier: GPL-2.0-only */
/* All that a snapshot says, as text that is compared with another. */
#ifndef NT_APP_REPLAY_TEXT_H
#define NT_APP_REPLAY_TEXT_H

#include "nettop/snapshot.h"

/* JSON with all rows, and behind it what JSON leaves out: call stacks, the code that is looked at, questions. The caller frees it. */
char *nt_replay_text(const struct nt_snapshot *snapshot);

#endif
