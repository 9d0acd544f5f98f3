/* SPDX-License-Identifier: GPL-2.0-only */
/* Of what the target died, by the stack of the thread that ended it: what its runtime has left no words of. */
#ifndef NT_MODEL_END_H
#define NT_MODEL_END_H

#include "model/process/proc.h"
#include "model/sites/sites.h"

/* Complete what the TARGET event said, as far as the frames have names by now. At every close of an interval, before the sites are swept. */
void nt_end_close(struct nt_proc *proc, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_target_end *end);

#endif
