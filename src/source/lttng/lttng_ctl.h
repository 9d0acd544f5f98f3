/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * liblttng-ctl, loaded when it is first needed: it brings libxml2, ICU and libstdc++ along, which together cost more CPU time than the rest of nettop's
 * start. Who only samples does without.
 */
#ifndef NT_SOURCE_LTTNG_CTL_H
#define NT_SOURCE_LTTNG_CTL_H

#include <lttng/lttng.h>

#include "nettop/status.h"

/* Its functions, named without their prefix lttng_. */
struct nt_lttng_ctl {
#define FUNCTION(name) __typeof__(lttng_##name) *name;
#include "source/lttng/lttng_ctl.def"
};

/*
 * All of them, for ever; the first call loads the library. NULL when it or one of its functions is missing: *err says which (`err` may be NULL). From any
 * thread, though the library itself is for one at a time.
 */
const struct nt_lttng_ctl *nt_lttng_ctl(struct nt_error *err);

#endif
