/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said where the kernel takes no BPF program of ours: which right is missing, or what keeps it from nettop, and the least fix. */
#ifndef NT_SOURCE_BPF_REFUSED_H
#define NT_SOURCE_BPF_REFUSED_H

#include "nettop/status.h"

/*
 * `error`: an errno value. `only`: how what is refused goes on with its right ("waits are exact only with"); `takes`: the right; `why_not`: the sentence where it is no question of rights.
 * Fills err, which may be NULL; returns its status: FORBIDDEN or UNSUPPORTED.
 */
enum nt_status nt_bpf_refused(int error, const char *only, const char *takes, const char *why_not, struct nt_error *err);

#endif
