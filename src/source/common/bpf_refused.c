// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/bpf_refused.h"

#include "base/call_filter.h"

#include <errno.h>

enum nt_status nt_bpf_refused(int error, const char *only, const char *takes, const char *why_not, struct nt_error *err)
{
	if (error != EPERM && error != EACCES)
		return nt_error_errno(err, NT_ERR_UNSUPPORTED, error, "%s", why_not);
	if (nt_call_filter_keeps_bpf()) {
		nt_error_set(err, NT_ERR_FORBIDDEN, "%s bpf(2), which a seccomp filter keeps from nettop", only);
		nt_error_set_fix(err,
				 "run nettop on the host, or the container with a seccomp profile that allows bpf and perf_event_open");
		return NT_ERR_FORBIDDEN;
	}
	nt_error_set(err, NT_ERR_FORBIDDEN, "%s %s", only, takes);
	nt_error_set_fix(err, "run nettop as root, or: sudo setcap cap_perfmon,cap_bpf,cap_sys_ptrace,cap_checkpoint_restore,cap_syslog=ep "
			      "$(command -v nettop)");
	return NT_ERR_FORBIDDEN;
}
