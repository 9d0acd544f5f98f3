// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the runtime's own description of its data gives of a process, read from outside: its threads and the managed call stacks of those that wait; its methods; or its thread pool.
 *
 *   contract_dump PID              threads
 *   contract_dump PID methods      all generated code
 *   contract_dump PID pool         the thread pool, of .NET 10
 *   contract_dump PID il           which IL it was made of
 *   contract_dump PID ADDRESS...   what lies at these
 *
 *   feature NAME on|LACKS          thread OS_ID MANAGED_ID STATE MODE whole|partial|none REASON
 *     frame PC START SIZE KIND METHOD [funclet]
 *     monitor OBJECT owner OS_ID waiters COUNT
 *   pool working N existing N goal N min N max N queued N
 *   il START SIZE NATIVE:IL... (offsets)      no-il START SIZE none|broken
 *   method START SIZE jit|r2r|stub RAW_NAME[TIER] (as in a perf map)      unnamed ADDRESS WHY
 *
 * The process is not stopped; what a thread shows that ran meanwhile is nonsense, so the reader compares its run times before and after.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "decode/contract/contract_il.h"
#include "decode/contract/contract_locks.h"
#include "decode/contract/contract_methods.h"
#include "decode/contract/contract_names.h"
#include "decode/contract/contract_pool.h"
#include "decode/names/method_name.h"

enum { PAGES_BUDGET = 1000000, MAPS_MAX = 8192 };

struct mapping {
	uint64_t start;
	bool image; /* the begin of a file */
	bool runtime;
};

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	return pread(*(int *)context, page, NT_PAGE_BYTES, (off_t)address) == NT_PAGE_BYTES;
}

static size_t read_maps(const char *pid, struct mapping *out)
{
	char *path = nt_format("/proc/%s/maps", pid), line[4096 + 256];
	FILE *file = fopen(path, "re");
	size_t count = 0;
	free(path);
	while (file && count < MAPS_MAX && fgets(line, sizeof(line), file)) {
		unsigned long long start, offset;
		if (sscanf(line, "%llx-%*x %*s %llx", &start, &offset) != 2)
			continue;
		out[count++] = (struct mapping){ .start = start,
						 .image = !offset && strchr(line, '/'),
						 .runtime = !offset && strstr(line, "/libcoreclr.so") };
	}
	if (file)
		fclose(file);
	return count;
}

/* libcoreclr.so, else whichever image has the description in it. */
static enum nt_descriptor_result open_runtime(struct nt_contract *contract, struct nt_memory *memory, const struct mapping *maps,
					      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (maps[i].runtime)
			return nt_contract_open(contract, memory, maps[i].start);
	for (size_t i = 0; i < count; i++)
		if (maps[i].image && nt_contract_open(contract, memory, maps[i].start) == NT_DESCRIPTOR_FOUND)
			return NT_DESCRIPTOR_FOUND;
	return NT_DESCRIPTOR_NONE;
}

static void print_stack(const struct nt_thread_stack *stack)
{
	static const char *const kinds[] = { "jit", "r2r", "stub" };
	for (unsigned i = 0; i < stack->count; i++) {
		const struct nt_contract_code *code = &stack->frames[i].code;
		printf("  frame %" PRIx64 " %" PRIx64 " %" PRIx64 " %s %" PRIx64 "%s\n", stack->frames[i].pc, code->start, code->size,
		       kinds[code->kind], code->method, code->funclet ? " funclet" : "");
	}
}

static void print_threads(struct nt_contract *contract)
{
	static struct nt_thread_stack stack;
	struct nt_contract_modules modules = { .contract = contract };
	struct nt_contract_thread *threads = NULL;
	size_t count = 0, capacity = 0;
	if (!nt_contract_threads(contract, &threads, &count, &capacity))
		puts("threads incomplete");
	for (size_t i = 0; i < count; i++) {
		const struct nt_contract_thread *thread = &threads[i];
		bool read = nt_thread_stack_read(contract, thread, &stack);
		printf("thread %" PRIu32 " %" PRIu32 " %" PRIx32 " %s %s%s\n", thread->os_id, thread->managed_id, thread->state,
		       thread->cooperative ? "managed" : "native",
		       !read            ? "none"
		       : stack.complete ? "whole"
					: "partial",
		       thread->finalizer ? " finalizer" : "");
		if (!read)
			continue;
		print_stack(&stack);
		struct nt_contract_lock lock = { 0 };
		if (contract->layout.has[NT_CONTRACT_MONITORS])
			lock = nt_contract_lock_of(&modules, threads, count, thread->os_id, &stack);
		if (lock.object)
			printf("  lock %" PRIx64 " owner %" PRIu32 " waiters %" PRIu32 "\n", lock.object, lock.owner_os_id, lock.waiters);
	}
	nt_contract_modules_fini(&modules);
	free(threads);
}

static bool print_method(void *context, uint64_t address)
{
	static const char *const why[] = { "", "none", "stub", "nameless", "changed" };
	static struct nt_contract_name name;
	enum nt_contract_naming result = nt_contract_name_at(context, address, &name);
	bool precompiled = name.code.kind == NT_CONTRACT_R2R;
	if (result == NT_CONTRACT_NAMED)
		printf("method %" PRIx64 " %" PRIx64 " %s %s%s\n", name.code.start, name.code.size, precompiled ? "r2r" : "jit", name.text,
		       nt_perfmap_tier_text(precompiled ? NT_CODE_R2R : NT_CODE_JIT, name.tier));
	else
		printf("unnamed %" PRIx64 " %s\n", address, why[result]);
	return true;
}

static void print_pool(struct nt_contract *contract)
{
	struct nt_contract_modules modules = { .contract = contract };
	struct nt_contract_pool pool = { 0 };
	struct nt_contract_pool_counts counts;
	if (!nt_contract_pool_read(&pool, &modules, &counts)) {
		puts("pool unknown");
	} else {
		printf("pool working %" PRIu32 " existing %" PRIu32 " goal %" PRIu32 " min %" PRIu32 " max %" PRIu32, counts.working,
		       counts.existing, counts.goal, counts.min, counts.max);
		printf(counts.queued_known ? " queued %" PRIu64 "\n" : "\n", counts.queued);
	}
	nt_contract_modules_fini(&modules);
}

static bool print_il(void *context, uint64_t address)
{
	static uint32_t il[NT_IL_MAP_MAX], native[NT_IL_MAP_MAX];
	struct nt_contract_code code;
	struct nt_il_map map;
	enum nt_contract_il result = nt_contract_il_at(context, address, &code, il, native, &map);
	if (result != NT_CONTRACT_IL_READ && result != NT_CONTRACT_IL_NO_CODE)
		printf("no-il %" PRIx64 " %" PRIx64 " %s\n", code.start, code.size, result == NT_CONTRACT_IL_NONE ? "none" : "broken");
	if (result != NT_CONTRACT_IL_READ)
		return true;
	printf("il %" PRIx64 " %" PRIx64, code.start, code.size);
	for (uint32_t i = 0; i < map.count; i++)
		printf(" %" PRIx32 ":%" PRIx32, native[i], il[i]);
	putchar('\n');
	return true;
}

static void print_names(struct nt_contract *contract, char **addresses)
{
	struct nt_contract_modules modules = { .contract = contract };
	if (strcmp(addresses[0], "il") == 0)
		puts(nt_contract_begins(contract, print_il, contract) ? "il whole" : "il incomplete");
	else if (strcmp(addresses[0], "methods") == 0)
		puts(nt_contract_begins(contract, print_method, &modules) ? "methods whole" : "methods incomplete");
	else
		for (; *addresses; addresses++)
			print_method(&modules, strtoull(*addresses, NULL, 16));
	nt_contract_modules_fini(&modules);
}

int main(int argc, char **argv)
{
	static struct mapping maps[MAPS_MAX];
	static const char *const features[NT_CONTRACT_FEATURES] = { "code",       "threads", "stacks", "monitors",  "names",
								    "signatures", "fields",  "tiers",  "allocated", "persons" };
	if (argc < 2) {
		fprintf(stderr, "usage: %s PID [methods | pool | il | ADDRESS...]\n", argv[0]);
		return 2;
	}
	char *path = nt_format("/proc/%s/mem", argv[1]);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0) {
		perror("contract_dump: memory of the process");
		return 1;
	}
	struct nt_memory memory = { .read = read_page, .context = &fd };
	nt_memory_allow(&memory, PAGES_BUDGET);
	struct nt_contract contract;
	size_t map_count = read_maps(argv[1], maps);
	if (open_runtime(&contract, &memory, maps, map_count) != NT_DESCRIPTOR_FOUND) {
		fprintf(stderr, "contract_dump: %s has no runtime that describes its data\n", argv[1]);
		return 1;
	}
	for (unsigned i = 0; i < NT_CONTRACT_FEATURES; i++)
		printf("feature %s %s\n", features[i], contract.layout.has[i] ? "on" : contract.layout.lacks[i]);
	if (contract.layout.has[NT_CONTRACT_CODE] && !nt_contract_read_sections(&contract))
		puts("sections incomplete");
	printf("sections %zu\n", contract.section_count);
	if (argc > 2 && strcmp(argv[2], "pool") == 0 && contract.layout.has[NT_CONTRACT_FIELDS] && contract.layout.has[NT_CONTRACT_NAMES])
		print_pool(&contract);
	else if (argc > 2 && contract.layout.has[NT_CONTRACT_CODE] && contract.layout.has[NT_CONTRACT_NAMES])
		print_names(&contract, argv + 2);
	else if (contract.layout.has[NT_CONTRACT_STACKS] && contract.layout.has[NT_CONTRACT_THREADS])
		print_threads(&contract);
	printf("pages %zu steps %zu\n", PAGES_BUDGET - memory.budget, (size_t)PAGES_BUDGET * NT_MEMORY_STEPS_OF_PAGE - memory.steps);
	nt_contract_fini(&contract);
	nt_memory_fini(&memory);
	close(fd);
	return 0;
}
