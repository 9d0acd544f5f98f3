// SPDX-License-Identifier: GPL-2.0-only
#include "source/core/core_process.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/passed_fds.h"
#include "decode/contract/contract_names.h"
#include "decode/contract/contract_person.h"
#include "decode/contract/contract_types.h"
#include "decode/names/method_name.h"
#include "source/core/core_process_internal.h"
#include "source/decoder/decoder_confined.h"
#include "source/decoder/decoder_process.h"
#include "source/image/cfi_image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
	PAGES_OF_THE_RUNTIME = 100000,
	FDS_OF_AN_IMAGE = 2,
	INSIDE_MAJOR = 10 /* of whose fields it is known what they look like inside */
};

/* ---- the file ---- */

static void tell_files(struct nt_core_process *process)
{
	const struct nt_core *core = &process->view.core;
	for (size_t i = 0; i < core->mapping_count; i++) {
		const struct nt_core_mapping *mapping = &core->mappings[i];
		struct nt_image_head head;
		struct nt_reader_file file = { .what = NT_READER_FILE,
					       .path_length = (uint32_t)strlen(mapping->path),
					       .start = mapping->start,
					       .end = mapping->end,
					       .offset = mapping->offset };
		if (nt_core_view_head(&process->view, mapping, &head)) {
			file.id_length = (uint32_t)head.id_length;
			memcpy(file.id, head.id, head.id_length);
		}
		nt_core_process_say(process, &file, sizeof(file), mapping->path, file.path_length);
	}
	nt_core_process_say_end(process, true);
}

static void open_core(struct nt_core_process *process, const int *fds, size_t count)
{
	struct nt_reader_core told = { .what = NT_READER_CORE };
	struct nt_core *core = &process->view.core;
	if (count != 1 || process->open)
		nt_core_process_end();
	process->open = true;
	told.result = nt_core_view_open(&process->view, fds[0]);
	process->memory = (struct nt_memory){ .read = nt_core_view_page, .context = &process->view };
	told.wanted_bytes = core->wanted_bytes;
	told.pid = core->pid;
	told.thread_count = (uint32_t)core->thread_count;
	memcpy(told.name, core->name, sizeof(told.name) - 1);
	for (size_t i = 0; i < core->thread_count && !told.signal; i++) {
		told.signal = core->threads[i].signal;
		told.signal_tid = told.signal ? core->threads[i].tid : 0;
	}
	nt_core_process_say(process, &told, sizeof(told), NULL, 0);
	if (told.result == NT_CORE_READ)
		tell_files(process);
}

static void take_image(struct nt_core_process *process, uint32_t number, const int *fds, size_t count)
{
	struct nt_reader_fits told = { .what = NT_READER_FITS, .number = number, .fit = NT_READER_FITS_UNKNOWN };
	if (count != FDS_OF_AN_IMAGE)
		nt_core_process_end();
	told.fit = nt_core_view_add(&process->view, number, fds[0], fds[1]);
	nt_core_process_say(process, &told, sizeof(told), NULL, 0);
}

/* ---- the runtime ---- */

static bool is_runtime(const char *path)
{
	const char *name = strrchr(path, '/');
	return name && strcmp(name, "/libcoreclr.so") == 0;
}

/* libcoreclr.so, else (a single file) whichever has it. */
static enum nt_descriptor_result find_runtime(struct nt_core_process *process, struct nt_memory *memory)
{
	const struct nt_core *core = &process->view.core;
	enum nt_descriptor_result result = NT_DESCRIPTOR_NONE;
	for (int own = 1; own >= 0 && result == NT_DESCRIPTOR_NONE; own--)
		for (size_t i = 0; i < core->mapping_count && result == NT_DESCRIPTOR_NONE; i++) {
			const struct nt_core_mapping *mapping = &core->mappings[i];
			if (!mapping->offset && is_runtime(mapping->path) == own)
				result = nt_contract_open(&process->contract, memory, mapping->start);
			if (!own && result == NT_DESCRIPTOR_BROKEN)
				result = NT_DESCRIPTOR_NONE;
		}
	return result;
}

static void open_runtime(struct nt_core_process *process, unsigned major)
{
	struct nt_reader_state state = { .what = NT_READER_STATE };
	/* What it says of itself is the same in each process of its build; all else is read in the core. */
	struct nt_memory first = { .read = nt_core_view_first_page, .context = &process->view };
	nt_memory_allow(&first, PAGES_OF_THE_RUNTIME);
	enum nt_descriptor_result result = find_runtime(process, &first);
	nt_memory_fini(&first);
	process->contract.memory = &process->memory;
	if (result != NT_DESCRIPTOR_FOUND) {
		snprintf(state.reason, sizeof(state.reason), "%s",
			 result == NT_DESCRIPTOR_NONE ? "no runtime that describes its data (.NET 9 and later) was found in it"
						      : "the core lacks the runtime's description of its data");
		nt_core_process_say(process, &state, sizeof(state), NULL, 0);
		return;
	}
	const struct nt_layout *layout = &process->contract.layout;
	process->modules.contract = &process->contract;
	state.threads = layout->has[NT_CONTRACT_THREADS];
	state.stacks = state.threads && layout->has[NT_CONTRACT_STACKS] && layout->has[NT_CONTRACT_CODE];
	state.names = layout->has[NT_CONTRACT_CODE] && layout->has[NT_CONTRACT_NAMES];
	process->has_runtime = state.stacks && state.names;
	process->is_inside_known = major == INSIDE_MAJOR;
	process->fields = layout->has[NT_CONTRACT_FIELDS] && layout->has[NT_CONTRACT_NAMES] && process->is_inside_known;
	if (!process->has_runtime)
		snprintf(state.reason, sizeof(state.reason), "its runtime does not describe its call stacks: that came with .NET 10");
	nt_core_process_say(process, &state, sizeof(state), NULL, 0);
}

/* Can what each precompiled image says of its code be read? A core of the kernel's lacks all that is in files, and they need not be of the same build. A page in the middle stands for the others. */
static bool is_code_whole(struct nt_core_process *process)
{
	bool whole = nt_contract_read_sections(&process->contract), bad = false;
	for (size_t i = 0; i < process->contract.section_count; i++) {
		const struct nt_code_section *section = &process->contract.sections[i];
		if (section->module)
			nt_memory_u8(&process->memory, section->begin + (section->end - section->begin) / 2, &bad);
	}
	return whole && !bad;
}

/* False: threads may be missing. Of a small dump's list of code only a part is there: what lacks one that it needs is a stack that is not whole. */
static bool read_threads(struct nt_core_process *process)
{
	nt_memory_allow(&process->memory, PAGES_OF_THE_RUNTIME);
	process->code_whole = is_code_whole(process);
	bool whole = nt_contract_threads(&process->contract, &process->threads, &process->thread_count, &process->thread_capacity);
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].os_id && !(process->threads[i].state & (NT_CLR_THREAD_DEAD | NT_CLR_THREAD_UNSTARTED)))
			nt_index_put(&process->by_tid, process->threads[i].os_id, (uint32_t)i);
	return whole;
}

/* ---- threads ---- */

/* Once for each function. Precompiled code is of functions, each of which is told of by itself. */
static void tell_name(struct nt_core_process *process, uint64_t address)
{
	static struct nt_contract_name name;
	static char text[NT_READER_NAME_MAX + 1];
	enum nt_contract_naming naming = nt_contract_name_at(&process->modules, address, &name);
	if (naming != NT_CONTRACT_NAMED || nt_index_get(&process->named, name.code.function_start) != NT_INDEX_NONE)
		return;
	nt_index_put(&process->named, name.code.function_start, 0);
	enum nt_code_kind kind = name.code.kind == NT_CONTRACT_JIT ? NT_CODE_JIT : NT_CODE_R2R;
	int length = snprintf(text, sizeof(text), "%s%s", name.text, nt_perfmap_tier_text(kind, name.tier));
	const struct nt_reader_named told = { .what = NT_READER_NAMED,
					      .naming = NT_READER_NAME_TOLD,
					      .address = address,
					      .start = name.code.function_start,
					      .size = name.code.function_end - name.code.function_start,
					      .length = length <= NT_READER_NAME_MAX ? (uint32_t)length : (uint32_t)name.length };
	nt_core_process_say(process, &told, sizeof(told), text, told.length);
}

static void tell_person(struct nt_core_process *process, const struct nt_contract_thread *thread)
{
	static struct nt_contract_person person;
	static char texts[NT_CONTRACT_THREAD_NAME_MAX + NT_READER_TYPE_MAX + 1 + NT_CONTRACT_MESSAGE_MAX];
	struct nt_reader_person told = { .what = NT_READER_PERSON, .tid = thread->os_id };
	nt_memory_allow(&process->memory, NT_CORE_PAGES_OF_A_THREAD);
	nt_contract_person_read(&process->modules, thread->address, process->fields, &person);
	told.name_length = (uint32_t)strlen(person.name);
	memcpy(texts, person.name, told.name_length);
	told.type_length = nt_core_process_name_type(process, person.thrown, texts + told.name_length);
	told.message_length = told.type_length ? (uint32_t)strlen(person.message) : 0;
	memcpy(texts + told.name_length + told.type_length, person.message, told.message_length);
	if (told.name_length || told.type_length)
		nt_core_process_say(process, &told, sizeof(told), texts, (size_t)told.name_length + told.type_length + told.message_length);
}

static void tell_stack(struct nt_core_process *process, const struct nt_core_thread *thread)
{
	static struct nt_core_stack stack;
	uint32_t index = nt_index_get(&process->by_tid, thread->tid);
	const struct nt_contract_thread *managed = index == NT_INDEX_NONE ? NULL : &process->threads[index];
	nt_memory_allow(&process->memory, NT_CORE_PAGES_OF_A_THREAD);
	nt_core_walk(&process->walker, thread, managed, &stack);
	nt_memory_allow(&process->memory, NT_CORE_PAGES_OF_A_THREAD);
	for (unsigned i = 0; process->has_runtime && i < stack.count; i++)
		tell_name(process, stack.frames[i] - (i > 0));
	struct nt_reader_stack told = { .what = NT_READER_STACK,
					.tid = thread->tid,
					.managed_id = managed ? managed->managed_id : 0,
					.state = managed ? managed->state : 0,
					.count = stack.count,
					.whole = stack.whole,
					.managed_whole = stack.managed_whole,
					.call = thread->call };
	memcpy(told.managed, stack.managed, sizeof(told.managed));
	nt_core_process_say(process, &told, sizeof(told), stack.frames, stack.count * sizeof(stack.frames[0]));
	if (managed && process->contract.layout.has[NT_CONTRACT_PERSONS])
		tell_person(process, managed);
}

static void look(struct nt_core_process *process)
{
	const struct nt_core *core = &process->view.core;
	bool whole = !process->has_runtime || read_threads(process);
	process->walker = (struct nt_core_walker){ .view = &process->view,
						   .contract = process->has_runtime ? &process->contract : NULL,
						   .memory = &process->memory,
						   .code_whole = process->code_whole,
						   .rules = nt_cfi_images_new() };
	for (size_t i = 0; i < core->thread_count; i++)
		tell_stack(process, &core->threads[i]);
	nt_core_walker_fini(&process->walker);
	nt_core_process_say_end(process, whole);
}

static void answer(struct nt_core_process *process, size_t length, const int *fds, size_t fd_count)
{
	struct nt_reader_image asked = { 0 }; /* a RUNTIME and a HEAP are as long, with something else in the place of the number */
	uint32_t what = 0;
	memcpy(&what, process->heard, length < sizeof(what) ? length : sizeof(what));
	memcpy(&asked, process->heard, length < sizeof(asked) ? length : sizeof(asked));
	if (what == NT_READER_OPEN && length == sizeof(struct nt_reader_open))
		open_core(process, fds, fd_count);
	else if (what == NT_READER_IMAGE && length == sizeof(asked) && process->open)
		take_image(process, asked.number, fds, fd_count);
	else if (what == NT_READER_RUNTIME && length == sizeof(struct nt_reader_runtime) && process->open && !process->modules.contract)
		open_runtime(process, asked.number);
	else if (what == NT_READER_LOOK && length == sizeof(struct nt_reader_look) && process->open && !process->walker.rules)
		look(process);
	else if (what == NT_READER_HEAP && length == sizeof(struct nt_reader_heap) && process->walker.rules)
		nt_core_process_tell_heap(process, asked.number);
	else
		nt_core_process_end();
	nt_core_process_send(process);
}

bool nt_core_is_meant(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], NT_CORE_WORD) == 0;
}

int nt_core_serve(void)
{
	static struct nt_core_process process;
	struct nt_error nobody_asks = { 0 };
	prctl(PR_SET_NAME, "nettop-core");
	nt_hash_choose_secret();
	nt_layout_prepare();
	nt_cfi_prepare(&nobody_asks);
	if (!nt_decoder_confine(NT_DECODER_FD + 1))
		return 1;
	for (;;) {
		int fds[NT_PASSED_FDS_MAX];
		size_t count;
		ssize_t got;
		while ((got = nt_passed_fds_take(NT_DECODER_FD, process.heard, sizeof(process.heard), 0, fds, &count)) < 0 &&
		       errno == EINTR)
			continue;
		if (got <= 0)
			nt_core_process_end();
		answer(&process, (size_t)got, fds, count);
	}
}
