// SPDX-License-Identifier: GPL-2.0-only
#include "source/unwind/memory_rules.h"

#include "base/alloc.h"
#include "nettop/clock.h"
#include "source/contract/contract_reader.h"
#include "target/process/target.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const nt_time patience_ns = 2 * NT_NS_PER_S;
enum { SLICE_MS = 50 };

struct nt_memory_rules {
	char *proc_dir;
	pid_t pid;
	int pidfd; /* owned; -1 = there is none */
	unsigned major;
	struct nt_reader reader;
	bool given_up; /* nobody may read there, or the reader has ended */
	atomic_bool cancelled;
	_Atomic uint64_t cpu_ns;
};

struct nt_memory_rules *nt_memory_rules_new(const struct nt_target *target)
{
	if (target->deployment != NT_DEPLOYED_SINGLE_FILE || nt_target_runtime_major(target) < NT_RUNTIME_DESCRIBED_MAJOR)
		return NULL;
	struct nt_memory_rules *rules = nt_alloc(sizeof(*rules));
	rules->proc_dir = nt_strdup(target->proc_dir);
	rules->pid = (pid_t)target->pid;
	rules->pidfd = target->pidfd >= 0 ? fcntl(target->pidfd, F_DUPFD_CLOEXEC, 0) : -1;
	rules->major = nt_target_runtime_major(target);
	return rules;
}

void nt_memory_rules_free(struct nt_memory_rules *rules)
{
	if (!rules)
		return;
	nt_reader_end(&rules->reader);
	if (rules->pidfd >= 0)
		close(rules->pidfd);
	free(rules->proc_dir);
	free(rules);
}

void nt_memory_rules_cancel(struct nt_memory_rules *rules)
{
	if (rules)
		atomic_store(&rules->cancelled, true);
}

uint64_t nt_memory_rules_cpu_ns(const struct nt_memory_rules *rules)
{
	return rules ? atomic_load_explicit(&rules->cpu_ns, memory_order_relaxed) : 0;
}

static void give_up(struct nt_memory_rules *rules)
{
	nt_reader_end(&rules->reader);
	rules->given_up = true;
}

/* False: there is none. */
static bool ask(struct nt_memory_rules *rules, uint64_t address)
{
	if (!rules->given_up && !nt_reader_is_there(&rules->reader) &&
	    nt_reader_start(&rules->reader, rules->proc_dir, rules->pid, rules->pidfd, rules->major, NULL) != NT_OK)
		rules->given_up = true;
	if (!rules->given_up && !nt_reader_rule(&rules->reader, &address, 1))
		give_up(rules);
	return !rules->given_up;
}

/* OK: *out is the answer. NT_END: it was cancelled; else there is none, nor will there be any more. */
static enum nt_status hear(struct nt_memory_rules *rules, uint64_t address, struct nt_reader_ruled *out)
{
	nt_time deadline = nt_clock_now() + patience_ns;
	while (nt_clock_now() < deadline) {
		struct nt_reader_record record;
		if (atomic_load(&rules->cancelled))
			return NT_END;
		enum nt_status status = nt_reader_next(&rules->reader, &record);
		if (status == NT_AGAIN) {
			struct pollfd from = { .fd = rules->reader.child.fd, .events = POLLIN };
			poll(&from, 1, SLICE_MS);
		} else if (status != NT_OK || (record.what == NT_READER_STATE && !record.state.names)) {
			break;
		} else if (record.what == NT_READER_RULED && record.ruled.address == address) {
			*out = record.ruled;
			return NT_OK;
		}
	}
	give_up(rules);
	return NT_ERR_ABSENT;
}

enum nt_status nt_memory_rules_find(struct nt_memory_rules *rules, uint64_t address, uint64_t *start, uint64_t *end,
				    struct nt_frame_rule *rule)
{
	struct nt_reader_ruled said;
	*start = address;
	*end = address + 1;
	*rule = (struct nt_frame_rule){ .way = NT_FRAME_POINTER };
	if (!ask(rules, address))
		return NT_OK;
	enum nt_status status = hear(rules, address, &said);
	if (status == NT_END)
		return NT_END;
	atomic_store_explicit(&rules->cpu_ns, nt_reader_cpu_ns(&rules->reader), memory_order_relaxed);
	if (status != NT_OK || !said.known)
		return NT_OK;
	*start = said.start;
	*end = said.end;
	*rule = (struct nt_frame_rule){ .way = NT_FRAME_CFI,
					.cfa_reg = (uint8_t)said.cfa_reg,
					.cfa_is_word_there = said.cfa_is_word_there,
					.cfa_offset = said.cfa_offset };
	memcpy(rule->saved, said.saved, sizeof(rule->saved));
	return NT_OK;
}
