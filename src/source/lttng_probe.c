// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng_probe.h"

#include "source/lttng_daemons.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the target needs at its next start; nothing helps a process that runs (the runtime looks for the library once). */
#define RESTART                                                                                                                            \
	"restart it with DOTNET_EnableEventLog=1 DOTNET_EventSourceFilter=NoSuchSource "                                                   \
	"DOTNET_LTTngConfig=Microsoft-Windows-DotNETRuntime:8100001C011:5 and lttng-ust 2.12 (liblttng-ust.so.0) on LD_LIBRARY_PATH"
#define INSTALL "apt-get install lttng-tools"

static void refuse(struct nt_probe *out, enum nt_probe_result result, const char *fix)
{
	out->result = result;
	snprintf(out->fix, sizeof(out->fix), "%s", fix);
}

/* What is wrong with the target itself. */
static bool target_cannot(const struct nt_target *target, struct nt_probe *out)
{
	if (!target->is_dotnet) {
		snprintf(out->reason, sizeof(out->reason), "process %u is not a .NET process: it has no libcoreclr.so", target->pid);
		refuse(out, NT_PROBE_ABSENT, "");
		return true;
	}
	if (!target->provider_loaded) {
		snprintf(out->reason, sizeof(out->reason),
			 "the runtime of process %u did not load its LTTng provider (libcoreclrtraceptprovider.so): it found no "
			 "liblttng-ust.so.0 at "
			 "its start, or DOTNET_LTTng=0 is set",
			 target->pid);
		refuse(out, NT_PROBE_ABSENT, RESTART);
		return true;
	}
	return false;
}

static bool program_missing(const char *name, struct nt_probe *out)
{
	char *path = nt_lttng_find_program(name);
	free(path);
	if (path)
		return false;
	snprintf(out->reason, sizeof(out->reason), "%s is not installed", name);
	refuse(out, NT_PROBE_ABSENT, INSTALL);
	return true;
}

void nt_lttng_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	memset(out, 0, sizeof(*out));
	out->result = NT_PROBE_AVAILABLE;
	if (target_cannot(target, out))
		return;
	/* Somebody else's session needs only a viewer. */
	if (config->lttng_session || program_missing("lttng-relayd", out))
		return;
	struct nt_lttng_process sessiond;
	enum nt_status status = nt_lttng_sessiond_find(&sessiond, NULL);
	if (status == NT_OK)
		return;
	/* An application joins the machine's session daemon and that of its own user: another user's is no help. */
	if (geteuid() != 0 && geteuid() != target->uid) {
		snprintf(out->reason, sizeof(out->reason),
			 "no LTTng session daemon that process %u (user %u) talks to is open to this user", target->pid,
			 (unsigned)target->uid);
		refuse(out, NT_PROBE_FORBIDDEN, "run nettop as root, or join the group tracing and log in again");
		return;
	}
	program_missing("lttng-sessiond", out);
}
