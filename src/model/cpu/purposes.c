// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/purposes.h"

#include "base/file_name.h"
#include "symbol/own_code.h"

#include <string.h>

static bool begins_with(const char *text, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; text && i < count; i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

#define BEGINS_WITH(text, prefixes) begins_with(text, prefixes, sizeof(prefixes) / sizeof((prefixes)[0]))

/* ---- one piece of code ---- */

/* By its library, if it is one of the runtime's; NT_PURPOSE_UNKNOWN = it is not. */
static unsigned of_runtime_library(const char *module)
{
	static const char *const jit[] = { "libclrjit" }, *const gc[] = { "libclrgc" };
	static const char *const rest[] = { "libcoreclr", "libclretwrc", "libSystem.", "libhostfxr.", "libhostpolicy.", "libmscord" };
	if (BEGINS_WITH(module, jit))
		return NT_PURPOSE_JIT;
	if (BEGINS_WITH(module, gc))
		return NT_PURPOSE_GC;
	return BEGINS_WITH(module, rest) ? NT_CODE_OF_RUNTIME : NT_PURPOSE_UNKNOWN;
}

static unsigned of_runtime(const struct nt_key *key)
{
	static const char *const collector[] = { "SVR::", "WKS::" };
	unsigned library = of_runtime_library(key->module);
	if (library == NT_PURPOSE_JIT || library == NT_PURPOSE_GC)
		return library;
	return BEGINS_WITH(key->name, collector) ? NT_PURPOSE_GC : NT_CODE_OF_RUNTIME;
}

static bool is_unnamed(const struct nt_key *key)
{
	return nt_naming_entry((enum nt_naming)key->naming)->class == NT_NAMING_CLASS_REASON;
}

/*
 * Of generated code without a name nobody can say whose it is; a place in an image has at least that. A program that is compiled as a whole (Native AOT) has .NET in it:
 * where its symbols do not say the assembly, their beginning does, and where there are none, nothing.
 */
static unsigned of_managed(const struct nt_key *key)
{
	static const char *const compiled_in[] = { "S_P_", "System_", "Microsoft_" };
	if ((is_unnamed(key) && !key->module) || key->naming == NT_NAMING_BOUNDED)
		return NT_PURPOSE_UNKNOWN;
	if (key->kind == NT_CODE_R2R && BEGINS_WITH(key->name, compiled_in))
		return NT_PURPOSE_FRAMEWORK;
	return nt_key_is_own(key) ? NT_PURPOSE_PROGRAM : NT_PURPOSE_FRAMEWORK;
}

/* Nobody has said yet what is there, or nobody can: by where it lies. */
static unsigned of_image(const struct nt_key *key)
{
	static const char *const kernel[] = { "[kernel]" }, *const vdso[] = { "[vdso]" };
	static const char dll[] = ".dll";
	size_t length = key->module ? strlen(key->module) : 0;
	if (BEGINS_WITH(key->module, kernel))
		return NT_PURPOSE_KERNEL;
	if (BEGINS_WITH(key->module, vdso))
		return NT_PURPOSE_NATIVE;
	if (length >= sizeof(dll) && strcmp(key->module + length - (sizeof(dll) - 1), dll) == 0)
		return of_managed(key);
	if (!key->module || !nt_file_library_end(key->module))
		return NT_PURPOSE_UNKNOWN;
	unsigned library = of_runtime_library(key->module);
	return library == NT_PURPOSE_UNKNOWN ? NT_PURPOSE_NATIVE : library;
}

unsigned nt_purpose_of_key(const struct nt_key *key)
{
	switch ((enum nt_code_kind)key->kind) {
	case NT_CODE_KERNEL:
		return NT_PURPOSE_KERNEL;
	case NT_CODE_JIT:
	case NT_CODE_R2R:
		return of_managed(key);
	case NT_CODE_STUB:
		return NT_PURPOSE_RUNTIME;
	case NT_CODE_RUNTIME:
		return of_runtime(key);
	case NT_CODE_NATIVE:
		return NT_PURPOSE_NATIVE;
	case NT_CODE_UNKNOWN:
	case NT_CODE_KIND_COUNT:
		break;
	}
	return of_image(key);
}

/* ---- a chain ---- */

static bool is_managed(const struct nt_key *key)
{
	return (key->kind == NT_CODE_JIT || key->kind == NT_CODE_R2R) && !nt_key_is_between(key);
}

/* A worker waits for work in its semaphore, which may be compiled into the worker's loop; what it does on the way into the kernel are methods of these types. */
static bool is_idle(const struct nt_resolver *resolver, const nt_frame *frames, size_t count)
{
	static const char *const threading[] = { "System.Threading." }; /* as all of them begin */
	static const char *const semaphore[] = { "System.Threading.LowLevelLifoSemaphore.Wait" };
	static const char *const loop[] = { "System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart",
					    "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart" };
	static const char *const means[] = { "System.Threading.Thread.", "System.Threading.SpinWait.",
					     "System.Threading.LowLevelSpinWaiter." };
	for (size_t i = 0; i < count; i++) {
		const struct nt_key *key = nt_resolver_key(resolver, nt_frame_row(frames[i]));
		if (!is_managed(key))
			continue;
		if (!BEGINS_WITH(key->name, threading))
			return false;
		if (BEGINS_WITH(key->name, semaphore))
			return true;
		if (!BEGINS_WITH(key->name, means))
			return i && BEGINS_WITH(key->name, loop);
	}
	return false;
}

/* The compiler asks the runtime, and both call libc: who is nearest of the runtime's libraries, up to the next method, says what for. */
static unsigned of_callers(const struct nt_resolver *resolver, const nt_frame *frames, size_t count, unsigned leaf)
{
	unsigned found = leaf;
	for (size_t i = 1; i < count; i++) {
		const struct nt_key *key = nt_resolver_key(resolver, nt_frame_row(frames[i]));
		unsigned purpose = nt_purpose_of_key(key);
		if (purpose == NT_PURPOSE_JIT || purpose == NT_PURPOSE_GC)
			return purpose;
		if (purpose == NT_CODE_OF_RUNTIME)
			found = purpose;
		else if (purpose != NT_PURPOSE_NATIVE)
			break;
	}
	return found;
}

unsigned nt_purpose_of_code(const struct nt_resolver *resolver, const nt_frame *frames, size_t count)
{
	if (!count)
		return NT_PURPOSE_UNKNOWN;
	if (is_idle(resolver, frames, count))
		return NT_PURPOSE_IDLE;
	unsigned leaf = nt_purpose_of_key(nt_resolver_key(resolver, nt_frame_row(frames[0])));
	return leaf == NT_PURPOSE_NATIVE || leaf == NT_CODE_OF_RUNTIME ? of_callers(resolver, frames, count, leaf) : leaf;
}

/* ---- a sample ---- */

static bool is_in_pause(nt_time time, const struct nt_pauses *pauses)
{
	for (size_t i = 0; pauses && i < pauses->count; i++)
		if (time >= pauses->items[i].begin && time < pauses->items[i].end)
			return true;
	return false;
}

bool nt_purpose_is_said_by_thread(unsigned code)
{
	return code == NT_CODE_OF_RUNTIME || code == NT_PURPOSE_NATIVE;
}

enum nt_purpose nt_purpose_of_sample(unsigned code, enum nt_role role, nt_time time, const struct nt_pauses *pauses)
{
	if (nt_purpose_is_said_by_thread(code) && role == NT_ROLE_GC)
		return NT_PURPOSE_GC;
	if (nt_purpose_is_said_by_thread(code) && role == NT_ROLE_JIT)
		return NT_PURPOSE_JIT;
	if (code != NT_CODE_OF_RUNTIME)
		return (enum nt_purpose)code;
	return is_in_pause(time, pauses) ? NT_PURPOSE_GC : NT_PURPOSE_RUNTIME;
}

/* ---- counting ---- */

void nt_purposes_add(struct nt_purposes *purposes, enum nt_purpose purpose, unsigned samples)
{
	purposes->interval[purpose] += samples;
	purposes->all[purpose] += samples;
	purposes->window[purpose] += samples;
}

void nt_purposes_move(struct nt_purposes *purposes, unsigned from, unsigned to, uint64_t samples, double weight)
{
	if (from == to || nt_purpose_is_said_by_thread(from) || purposes->all[from] < samples)
		return;
	unsigned into = nt_purpose_of_sample(to, NT_ROLE_UNKNOWN, 0, NULL);
	double moved = weight < purposes->window[from] ? weight : purposes->window[from];
	purposes->all[from] -= samples;
	purposes->all[into] += samples;
	purposes->window[from] -= moved;
	purposes->window[into] += moved;
}

void nt_purposes_decay(struct nt_purposes *purposes, double decay)
{
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		purposes->window[i] *= decay;
}

/* ---- the snapshot ---- */

static void fill(const uint64_t samples[NT_PURPOSE_COUNT], struct nt_cpu_figures *cpu)
{
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++) {
		double whole = (double)cpu->samples.v;
		cpu->purposes.samples[i] = (struct nt_u64){ .known = cpu->samples.known, .v = samples[i] };
		cpu->purposes.pct[i].known = cpu->samples.known && cpu->samples.v;
		cpu->purposes.pct[i].v = whole > 0 ? 100 * (double)samples[i] / whole : 0;
	}
}

void nt_purposes_close(struct nt_purposes *purposes, struct nt_process_snapshot *process)
{
	double whole = 0;
	fill(purposes->interval, &process->interval.cpu);
	fill(purposes->all, &process->total.cpu);
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		whole += purposes->window[i];
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++) {
		process->window_purpose_pct[i].known = whole > 0;
		process->window_purpose_pct[i].v = whole > 0 ? 100 * purposes->window[i] / whole : 0;
		purposes->interval[i] = 0;
	}
}
