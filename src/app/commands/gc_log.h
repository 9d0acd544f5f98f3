/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop events --as gclog`: collections as they end, a line each. */
#ifndef NT_APP_GC_LOG_H
#define NT_APP_GC_LOG_H

#include "app/common/options.h"

/* Returns the exit status; what is to be said on standard error is in *err. */
int nt_gc_log(struct nt_options *options, struct nt_error *err);

#endif
