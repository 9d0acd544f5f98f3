// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_harm.h"

#include "base/alloc.h"
#include "base/shell_word.h"
#include "source/common/hand.h"
#include "target/process/exception_gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS (NT_NS_PER_S / 2)

/* Its target is its own: an abandoned errand may outlive ours. */
struct look {
	struct nt_errand errand;
	struct nt_target target;
	struct nt_exception_gate gate;
};

static void run(struct nt_errand *errand)
{
	struct look *look = (struct look *)errand;
	nt_exception_gate_read(&look->target, &look->gate);
}

static void release(struct nt_errand *errand)
{
	struct look *look = (struct look *)errand;
	free(look->target.proc_dir);
	free(look->target.root_dir);
	free(look);
}

/* Who serves the target's call sites. UNKNOWN also when its files hang. */
static struct nt_exception_gate gate_of(uint32_t pid, uid_t uid)
{
	struct look *look = nt_alloc(sizeof(*look));
	struct nt_exception_gate gate = { .state = NT_GATE_UNKNOWN };
	look->errand = (struct nt_errand){ .run = run, .release = release };
	look->target.pid = pid;
	look->target.uid = uid;
	look->target.proc_dir = nt_format("/proc/%u", pid);
	look->target.root_dir = nt_format("/proc/%u/root", pid);
	struct nt_hand *hand = nt_hand_new();
	if (nt_hand_do(hand, &look->errand, LOOK_NS) == NT_OK) {
		gate = look->gate;
		release(&look->errand);
	}
	nt_hand_free(hand);
	return gate;
}

/* Of net://HOST:PORT/host/NAME/SESSION its last part. */
static const char *name_of(const char *session)
{
	const char *slash = strstr(session, "://") ? strrchr(session, '/') : NULL;
	return slash ? slash + 1 : session;
}

bool nt_lttng_harm_of_exceptions(const char *session, uint32_t pid, uid_t uid, struct nt_lttng_harm *out)
{
	const struct nt_exception_gate gate = gate_of(pid, uid);
	const char *name = name_of(session);
	if (gate.state == NT_GATE_HARMLESS)
		return false;
	snprintf(out->reason, sizeof(out->reason),
		 "the LTTng session %s has ExceptionThrown enabled, or had: %san exception without a message can end process %u (SIGSEGV "
		 "in the runtime)",
		 name, gate.state == NT_GATE_HARMFUL ? "" : "unless nettop's bridge serves it, ", pid);
	char *word = nt_shell_word(name);
	snprintf(out->fix, sizeof(out->fix), "lttng disable-event --userspace --session %s --channel CHANNEL 'RULE' (as it was enabled)",
		 word);
	free(word);
	return true;
}
