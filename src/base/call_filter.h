/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a seccomp filter, as a container's, keeps a system call from us: its answer, EPERM mostly, looks as if a capability were missing, and none helps. Told from the
 * kernel's own by a call that can do nothing, which the kernel finds fault with for another reason before it asks for any right.
 */
#ifndef NT_BASE_CALL_FILTER_H
#define NT_BASE_CALL_FILTER_H

#include <stdbool.h>

/* perf_event_open(2), and bpf(2) of who has CAP_BPF or CAP_SYS_ADMIN: of others it is not known, and said to be none. False where we have no filter. */
bool nt_call_filter_keeps_perf(void);
bool nt_call_filter_keeps_bpf(void);

#endif
