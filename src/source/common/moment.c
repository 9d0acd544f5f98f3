// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/moment.h"

#include "base/affix.h"

#include <ctype.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <string.h>

static const struct software {
	const char *name, *other; /* other: as perf calls it, too; NULL = no other way */
	uint64_t config;
	enum nt_moment_unit unit;
	const char *about;
} softwares[] = {
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, NT_MOMENT_COUNT, "first touches of memory, and what was not in memory" },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, NT_MOMENT_COUNT, "those of them without reading from a disk" },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, NT_MOMENT_COUNT, "those of them that wait for a disk" },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, NT_MOMENT_COUNT, "a thread leaves its CPU" },
	{ "cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS, NT_MOMENT_COUNT, "a thread comes to another CPU" },
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS, NT_MOMENT_COUNT, "accesses that the kernel mends" },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS, NT_MOMENT_COUNT, "instructions that the kernel carries out" },
	{ "cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK, NT_MOMENT_NS, "CPU time, as without -e" },
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, NT_MOMENT_NS, "the same, by the clock of the thread" },
};

/* Keywords and levels of ClrEtwAll.man. Exceptions at the level of errors only: above it each is four events. Ticks of allocations end with the first collection on
 * .NET 10 when nothing else of the keyword is asked for. */
static const struct nt_moment_runtime runtimes[] = {
	{ "GCTriggered", 35, 4, 0x1, 8, UINT_MAX, NT_MOMENT_COUNT, "who asks for a collection" },
	{ "GCAllocationTick", 10, 5, 0x1, 8, 9, NT_MOMENT_BYTES, "each 100 KB that are allocated" },
	{ "AllocationSampled", 303, 4, 0x80000000000, 10, UINT_MAX, NT_MOMENT_COUNT,
	  "objects that are allocated: of every 100 KB one, chosen by chance" },
	{ "ExceptionThrown", 80, 2, 0x8000, 8, UINT_MAX, NT_MOMENT_COUNT, "an exception is thrown" },
	{ "ContentionStart", 81, 4, 0x4000, 8, UINT_MAX, NT_MOMENT_COUNT, "a thread waits for a lock" },
	{ "MethodJittingStarted", 145, 5, 0x10, 8, UINT_MAX, NT_MOMENT_COUNT, "a method is compiled: who calls it first" },
	{ "MethodLoadVerbose", 143, 5, 0x10, 8, UINT_MAX, NT_MOMENT_COUNT, "a method has been compiled" },
	{ "ModuleLoad", 152, 4, 0x8, 8, UINT_MAX, NT_MOMENT_COUNT, "an assembly is loaded" },
	{ "ThreadCreated", 85, 4, 0x10000, 8, UINT_MAX, NT_MOMENT_COUNT, "a managed thread is made" },
	{ "ThreadPoolWorkerThreadStart", 50, 4, 0x10000, 8, UINT_MAX, NT_MOMENT_COUNT, "the thread pool gets another worker" },
	{ "WaitHandleWaitStart", 301, 5, 0x40000000000, 9, UINT_MAX, NT_MOMENT_COUNT, "a thread waits for a handle, a monitor or a task" },
};

enum { SOFTWARES = sizeof(softwares) / sizeof(*softwares), RUNTIMES = sizeof(runtimes) / sizeof(*runtimes) };

const char *nt_moment_software_name(size_t number, const char **about)
{
	if (number >= SOFTWARES)
		return NULL;
	*about = softwares[number].about;
	return softwares[number].name;
}

const struct nt_moment_runtime *nt_moment_runtime_at(size_t number)
{
	return number < RUNTIMES ? &runtimes[number] : NULL;
}

const char *nt_moment_unit_name(enum nt_moment_unit unit)
{
	static const char *const names[] = { [NT_MOMENT_COUNT] = "times", [NT_MOMENT_NS] = "ns", [NT_MOMENT_BYTES] = "bytes" };
	return names[unit];
}

enum nt_source_id nt_moment_source(const struct nt_moment_asked *asked)
{
	return asked->sort == NT_MOMENT_RUNTIME ? NT_SOURCE_EVENTPIPE : asked->sort == NT_MOMENT_WAIT ? NT_SOURCE_RUNTIME : NT_SOURCE_PERF;
}

bool nt_moments_are_waits(const struct nt_moment_asked *asked, size_t count)
{
	return count == 1 && asked->sort == NT_MOMENT_WAIT;
}

static enum nt_status unheard_of(const struct nt_moment_asked *asked, const char *what, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_USAGE, "-e '%s' %s; nettop stacks -e list shows what can be asked for", asked->word, what);
}

/* u:FILE:FUNCTION; a path may have colons, a function has none. */
static enum nt_status parse_call(struct nt_moment_asked *asked, const char *rest, struct nt_error *err)
{
	const char *colon = strrchr(rest, ':');
	if (!colon || colon == rest || !colon[1])
		return unheard_of(asked, "names no function: u:FILE:FUNCTION, as u:libc.so.6:malloc", err);
	memcpy(asked->first, rest, (size_t)(colon - rest));
	strcpy(asked->second, colon + 1);
	return NT_OK;
}

static enum nt_status parse_runtime(struct nt_moment_asked *asked, const char *name, struct nt_error *err)
{
	asked->sort = NT_MOMENT_RUNTIME;
	for (size_t i = 0; i < RUNTIMES; i++) {
		if (strcmp(runtimes[i].name, name) == 0) {
			asked->runtime = &runtimes[i];
			asked->unit = runtimes[i].unit;
			return NT_OK;
		}
	}
	return unheard_of(asked, "is no event of the runtime that has a call stack", err);
}

static enum nt_status parse_software(struct nt_moment_asked *asked, struct nt_error *err)
{
	for (size_t i = 0; i < SOFTWARES; i++) {
		if (strcmp(softwares[i].name, asked->word) == 0 || (softwares[i].other && strcmp(softwares[i].other, asked->word) == 0)) {
			asked->sort = NT_MOMENT_SOFTWARE;
			asked->software = softwares[i].config;
			asked->unit = softwares[i].unit;
			return NT_OK;
		}
	}
	return unheard_of(asked, "is no event that nettop knows", err);
}

/* They become part of a path. */
static bool is_plain(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && *text != '_' && *text != '-')
			return false;
	return true;
}

static enum nt_status parse_tracepoint(struct nt_moment_asked *asked, const char *colon, struct nt_error *err)
{
	asked->sort = NT_MOMENT_TRACEPOINT;
	memcpy(asked->first, asked->word, (size_t)(colon - asked->word));
	strcpy(asked->second, colon + 1);
	if (!is_plain(asked->first) || !is_plain(asked->second))
		return unheard_of(asked, "is no tracepoint: SYSTEM:NAME, as sched:sched_switch", err);
	return NT_OK;
}

enum nt_status nt_moment_parse(const char *word, size_t length, struct nt_moment_asked *out, struct nt_error *err)
{
	*out = (struct nt_moment_asked){ .unit = NT_MOMENT_COUNT };
	if (length >= sizeof(out->word))
		return nt_error_set(err, NT_ERR_USAGE, "-e '%.40s...' is too long for an event", word);
	memcpy(out->word, word, length);
	const char *colon = strchr(out->word, ':');
	if (strcmp(out->word, NT_MOMENT_WAIT_WORD) == 0) {
		out->sort = NT_MOMENT_WAIT;
		out->unit = NT_MOMENT_NS;
		return NT_OK;
	}
	if (nt_begins_with(out->word, "clr:"))
		return parse_runtime(out, out->word + 4, err);
	out->sort = nt_begins_with(out->word, "ur:") ? NT_MOMENT_RETURN : NT_MOMENT_CALL;
	if (nt_begins_with(out->word, "u:") || nt_begins_with(out->word, "ur:"))
		return parse_call(out, colon + 1, err);
	return colon ? parse_tracepoint(out, colon, err) : parse_software(out, err);
}
