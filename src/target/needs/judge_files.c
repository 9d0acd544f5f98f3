// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose files may be opened: those of the target lie behind /proc/PID/root, which the kernel guards like a debugger's attach (ptrace(2), "Ptrace access mode
 * checking"); what is mapped, whatever became of its name, behind /proc/PID/map_files (proc(5)).
 */
#include "target/needs/judge.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#ifndef CAP_CHECKPOINT_RESTORE /* Linux 5.9 */
#define CAP_CHECKPOINT_RESTORE 40
#endif

void nt_judge_target_files(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { NOT_OURS, NOT_CAPABLE, NOT_HERE };
	const struct nt_target *target = facts->target;
	if (!facts->root_error)
		nt_judge_ok(out, "open to nettop");
	else if (facts->root_error != EACCES && facts->root_error != EPERM)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, NOT_HERE, "the root folder of process %u cannot be entered: %s", target->pid,
			      strerrordesc_np(facts->root_error));
	else if (nt_facts_capable(facts, CAP_SYS_PTRACE))
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, NOT_HERE,
			      "process %u is closed although nettop has CAP_SYS_PTRACE: it is in a user namespace where that does not "
			      "count, or a "
			      "security module is in the way",
			      target->pid);
	else if (facts->uid == 0)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, NOT_CAPABLE,
			      "nettop runs without CAP_SYS_PTRACE, and process %u (uid %u) has capabilities or a user that nettop has not",
			      target->pid, target->uid);
	else
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, NOT_OURS, "process %u (uid %u) is closed to uid %u without CAP_SYS_PTRACE",
			      target->pid, target->uid, facts->uid);
}

void nt_judge_target_memory(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { NOT_OURS, NOT_CAPABLE, NOT_HERE };
	const struct nt_target *target = facts->target;
	if (!target->runtime)
		nt_judge_ok(
			out,
			"not used: it is not known which version of the runtime this is, and call stacks are described from .NET 10 on");
	else if (nt_target_runtime_major(target) < NT_RUNTIME_NAMED_MAJOR)
		nt_judge_ok(out, "not needed: that runtime does not describe its call stacks");
	else if (!facts->memory_error)
		nt_judge_ok(out, "open to nettop");
	else if (nt_target_runtime_major(target) < NT_RUNTIME_DESCRIBED_MAJOR)
		nt_judge_ok(out, "closed; of that runtime names alone are read there, and a perf map has these, too");
	else if (facts->memory_error != EACCES && facts->memory_error != EPERM)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, NOT_HERE, "the memory of process %u cannot be read: %s", target->pid,
			      strerrordesc_np(facts->memory_error));
	else if (nt_facts_capable(facts, CAP_SYS_PTRACE))
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, NOT_HERE,
			      "the memory of process %u is closed although nettop has CAP_SYS_PTRACE: it is in a user namespace where that "
			      "does not "
			      "count, kernel.yama.ptrace_scope is 3, or a security module is in the way",
			      target->pid);
	else
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, facts->uid == 0 ? NOT_CAPABLE : NOT_OURS,
			      "the memory of process %u (uid %u) is closed to uid %u without CAP_SYS_PTRACE", target->pid, target->uid,
			      facts->uid);
}

void nt_judge_map_files(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { NOT_CAPABLE, NOT_ROOT, NOT_HERE };
	static const char gone[] = "mapped images were replaced or removed since they were loaded";
	bool capable = nt_facts_capable(facts, CAP_CHECKPOINT_RESTORE) || nt_facts_capable(facts, CAP_SYS_ADMIN);
	if (!facts->images_gone)
		nt_judge_ok(out, "not needed: what the target has mapped is where it was loaded from");
	else if (!facts->map_files_error)
		nt_judge_ok(out, "%u %s: read there", facts->images_gone, gone);
	else if (capable)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, NOT_HERE, "%u %s, and nettop has its capabilities in a user namespace only",
			      facts->images_gone, gone);
	else
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, facts->uid == 0 ? NOT_CAPABLE : NOT_ROOT,
			      "%u %s, and nettop runs without CAP_CHECKPOINT_RESTORE", facts->images_gone, gone);
}

bool nt_judge_closed(const struct nt_facts *facts, unsigned failure, struct nt_verdict *out)
{
	if (facts->root_error)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, failure, "the files of process %u are closed to nettop, see target_files",
			      facts->target->pid);
	return facts->root_error != 0;
}
