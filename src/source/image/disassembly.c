// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/disassembly.h"

#include "base/alloc.h"
#include "base/library.h"

#include <capstone/capstone.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
static const cs_arch arch = CS_ARCH_X86;
static const cs_mode mode = CS_MODE_64;
#elif defined(__aarch64__)
static const cs_arch arch = CS_ARCH_ARM64;
static const cs_mode mode = CS_MODE_LITTLE_ENDIAN;
#else
#error "which kind of code is this machine's?"
#endif

enum { TEXT_BYTES = CS_MNEMONIC_SIZE + 192 };

/* ---- the library ---- */

struct capstone {
#define FUNCTION(name) __typeof__(cs_##name) *name;
#include "source/image/capstone.def"
};

static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "cs_" #name, offsetof(struct capstone, name) },
#include "source/image/capstone.def"
};

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static struct capstone capstone;
static struct nt_error failure;

static void load(void)
{
	const size_t count = sizeof(functions) / sizeof(functions[0]);
	if (!nt_library_load("libcapstone.so.4", "libcapstone", functions, count, &capstone, &failure) &&
	    !nt_library_load("libcapstone.so.5", "libcapstone", functions, count, &capstone, &failure))
		nt_error_set(&failure, NT_ERR_ABSENT,
			     "libcapstone, which reads machine code, cannot be loaded; apt-get install libcapstone4");
}

void nt_disassembly_prepare(void)
{
	pthread_once(&loading, load);
}

/* ---- instructions ---- */

static void add(struct nt_disassembly *out, uint64_t start, size_t size, const char *text)
{
	size_t length = strlen(text);
	out->lines = nt_grow(out->lines, &out->capacity, out->count + 1, sizeof(*out->lines));
	out->text = nt_grow(out->text, &out->text_capacity, out->length + length, 1);
	memcpy(out->text + out->length, text, length);
	out->lines[out->count++] = (struct nt_batch_line){
		.start = start, .size = (uint32_t)size, .offset = (uint32_t)out->length, .length = (uint16_t)length, .kind = NT_CODE_UNKNOWN
	};
	out->length += length;
}

enum nt_status nt_disassemble(const uint8_t *bytes, size_t length, uint64_t start, struct nt_disassembly *out, struct nt_error *err)
{
	csh handle;
	char text[TEXT_BYTES];
	*out = (struct nt_disassembly){ 0 };
	nt_disassembly_prepare();
	if (failure.cause_count) {
		*err = failure;
		return NT_ERR_ABSENT;
	}
	cs_err failed = capstone.open(arch, mode, &handle);
	if (failed != CS_ERR_OK)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "libcapstone does not read this machine's code: %s",
				    capstone.strerror(failed));
	capstone.option(handle, CS_OPT_SKIPDATA, CS_OPT_ON); /* what is no instruction becomes a line of data */
	cs_insn *instruction = capstone.malloc(handle);
	for (uint64_t address = start; capstone.disasm_iter(handle, &bytes, &length, &address, instruction);) {
		snprintf(text, sizeof(text), *instruction->op_str ? "%-7s %s" : "%s", instruction->mnemonic, instruction->op_str);
		add(out, instruction->address, instruction->size, text);
	}
	capstone.free(instruction, 1);
	capstone.close(&handle);
	return NT_OK;
}

void nt_disassembly_fini(struct nt_disassembly *disassembly)
{
	free(disassembly->lines);
	free(disassembly->text);
	*disassembly = (struct nt_disassembly){ 0 };
}
