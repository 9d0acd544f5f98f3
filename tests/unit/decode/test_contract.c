// SPDX-License-Identifier: GPL-2.0-only
/* The runtime's description of its data, and steps up a stack by UNWIND_INFO, in memory made for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/contract/contract_layout.h"
#include "decode/contract/unwind_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x7f0000000000)

enum { PAGES = 4, BYTES = PAGES * NT_PAGE_BYTES };

static uint8_t bytes[BYTES];
static unsigned reads;

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	(void)context;
	reads++;
	if (address < BASE || address >= BASE + BYTES)
		return false;
	memcpy(page, bytes + (address - BASE), NT_PAGE_BYTES);
	return true;
}

static struct nt_memory memory;

static int setup(void **state)
{
	(void)state;
	memory = (struct nt_memory){ .read = read_page };
	nt_memory_allow(&memory, 64);
	memset(bytes, 0, sizeof(bytes));
	reads = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	nt_memory_fini(&memory);
	return 0;
}

static void pages_are_read_once(void **state)
{
	(void)state;
	uint8_t got[2 * NT_PAGE_BYTES];
	bytes[NT_PAGE_BYTES] = 7;
	assert_true(nt_memory_read(&memory, BASE + 1, got, NT_PAGE_BYTES));
	assert_int_equal(got[NT_PAGE_BYTES - 1], 7);
	assert_true(nt_memory_read(&memory, BASE + 1, got, NT_PAGE_BYTES));
	assert_int_equal(reads, 2);
	nt_memory_forget(&memory);
	assert_true(nt_memory_read(&memory, BASE, got, 1));
	assert_int_equal(reads, 3);
}

static void no_more_pages_are_kept_than_asked_for(void **state)
{
	(void)state;
	uint8_t got;
	memory.page_limit = 2;
	for (unsigned page = 0; page < BYTES / NT_PAGE_BYTES; page++)
		bytes[page * NT_PAGE_BYTES] = (uint8_t)(page + 1);
	for (unsigned round = 0; round < 3; round++)
		for (unsigned page = 0; page < BYTES / NT_PAGE_BYTES; page++) {
			assert_true(nt_memory_read(&memory, BASE + page * NT_PAGE_BYTES, &got, 1));
			assert_int_equal(got, page + 1);
			assert_true(memory.page_count <= 2);
		}
}

static void what_is_not_there_is_not_read(void **state)
{
	(void)state;
	uint8_t got[16];
	bool bad = false;
	assert_false(nt_memory_read(&memory, BASE + BYTES - 8, got, 16));
	assert_false(nt_memory_read(&memory, UINT64_MAX - 3, got, 8));
	assert_false(nt_memory_read(&memory, NT_ADDRESS_LIMIT - 4, got, 8));
	assert_int_equal(nt_memory_u64(&memory, 0, &bad), 0);
	assert_true(bad);
}

static void a_budget_ends(void **state)
{
	(void)state;
	uint8_t got;
	memory.budget = 1;
	assert_true(nt_memory_read(&memory, BASE, &got, 1));
	assert_false(nt_memory_read(&memory, BASE + NT_PAGE_BYTES, &got, 1));
	assert_true(nt_memory_read(&memory, BASE, &got, 1));
}

static void steps_end_where_pages_do_not(void **state)
{
	(void)state;
	bool bad = false;
	nt_memory_allow(&memory, 1);
	for (unsigned i = 0; i < NT_MEMORY_STEPS_OF_PAGE; i++)
		nt_memory_u64(&memory, BASE, &bad);
	assert_false(bad);
	nt_memory_u64(&memory, BASE, &bad);
	assert_true(bad);
	assert_int_equal(reads, 1);
}

/* ---- the description ---- */

static uint64_t code_ranges;

static bool read_layout(const char *json, struct nt_layout *out)
{
	static uint64_t pointers[] = { 0x1000, 0x2000 };
	struct nt_descriptor descriptor = {
		.json = strdup(json), .length = strlen(json), .pointers = pointers, .pointer_count = 2, .code_ranges = code_ranges
	};
	bool good = nt_layout_read(&descriptor, out);
	free(descriptor.json);
	return good;
}

static void a_feature_needs_all_that_it_uses(void **state)
{
	(void)state;
	static const char types[] = "{\"version\":0,\"contracts\":{\"Thread\":1},\"types\":{\"ThreadStore\":{\"FirstThreadLink\":88,"
				    "\"ThreadCount\":[112,\"uint32\"]},"
				    "\"Thread\":{\"LinkNext\":[112,\"pointer\"],\"Id\":16,\"State\":0,\"PreemptiveGCDisabled\":4%s}},"
				    "\"globals\":{\"ThreadStore\":[[1],\"pointer\"],\"FinalizerThread\":[\"0x33\",\"pointer\"]}}";
	char json[1024];
	struct nt_layout layout;
	snprintf(json, sizeof(json), types, ",\"OSId\":296");
	assert_true(read_layout(json, &layout));
	assert_true(layout.has[NT_CONTRACT_THREADS]);
	assert_int_equal(layout.offsets[NT_OFF_THREAD_OS_ID], 296);
	assert_int_equal(layout.offsets[NT_OFF_THREAD_LINK], 112);
	assert_int_equal(layout.globals[NT_GLOBAL_THREAD_STORE], 0x2000);
	assert_int_equal(layout.globals[NT_GLOBAL_FINALIZER_THREAD], 0x33);
	assert_false(layout.has[NT_CONTRACT_CODE]);
	assert_string_equal(layout.lacks[NT_CONTRACT_CODE], "ExecutionManager");
	snprintf(json, sizeof(json), types, "");
	assert_true(read_layout(json, &layout));
	assert_false(layout.has[NT_CONTRACT_THREADS]);
	assert_string_equal(layout.lacks[NT_CONTRACT_THREADS], "Thread.OSId");
	snprintf(json, sizeof(json), types, ",\"OSId\":-8");
	assert_true(read_layout(json, &layout) && !layout.has[NT_CONTRACT_THREADS]);
	snprintf(json, sizeof(json), types, ",\"OSId\":1048576");
	assert_true(read_layout(json, &layout) && !layout.has[NT_CONTRACT_THREADS]);
}

/* What .NET 9.0.20 says, as far as it is used; the place of Module.Base is a parameter. */
static const char nine[] =
	"{\"version\":0,\"contracts\":{\"Loader\":1,\"Object\":1,\"RuntimeTypeSystem\":1,\"Thread\":1},\"types\":{"
	"\"Thread\":{\"Id\":16,\"OSId\":296,\"State\":0,\"PreemptiveGCDisabled\":4,\"Frame\":8,\"LinkNext\":[112,\"pointer\"]},"
	"\"Module\":{\"Assembly\":312,\"Base\":%u,\"LoaderAllocator\":248,\"ThunkHeap\":1032,\"DynamicMetadata\":1120,\"Path\":272,"
	"\"MethodDefToDescMap\":656,\"TypeDefToMethodTableMap\":624},"
	"\"MethodTable\":{\"MTFlags\":0,\"MTFlags2\":8,\"EEClassOrCanonMT\":40,\"Module\":24,\"ParentMethodTable\":16,\"PerInstInfo\":48},"
	"\"ArrayClass\":{\"Rank\":72},\"GenericsDictInfo\":{\"NumTypeArgs\":6},\"TypeDesc\":{\"TypeAndFlags\":0},"
	"\"ParamTypeDesc\":{\"TypeArg\":16},\"DynamicMetadata\":{\"Size\":0,\"Data\":4},"
	"\"MethodDesc\":{\"ChunkIndex\":2,\"Flags\":6,\"Flags3AndTokenRemainder\":0},"
	"\"MethodDescChunk\":{\"!\":24,\"MethodTable\":0,\"FlagsAndTokenRange\":18},"
	"\"InstantiatedMethodDesc\":{\"PerInstInfo\":24,\"NumGenericArgs\":34},\"StoredSigMethodDesc\":{\"Sig\":16,\"cSig\":24},"
	"\"DynamicMethodDesc\":{\"MethodName\":32}},"
	"\"globals\":{\"MethodDescTokenRemainderBitCount\":[\"0xc\",\"uint8\"],\"MethodDescAlignment\":[\"0x8\",\"uint64\"]}}";

static void of_dotnet_9_code_has_names_where_all_lies_as_it_should(void **state)
{
	(void)state;
	char json[2048];
	struct nt_layout layout;
	snprintf(json, sizeof(json), nine, 288);
	code_ranges = 0x3000;
	assert_true(read_layout(json, &layout));
	assert_true(layout.has[NT_CONTRACT_CODE] && layout.has[NT_CONTRACT_NAMES] && layout.has[NT_CONTRACT_TIERS]);
	assert_int_equal(layout.globals[NT_GLOBAL_RANGE_MAP], 0x3000);
	assert_int_equal(layout.code_map_version, 1);
	assert_int_equal(layout.offsets[NT_OFF_MODULE_R2R], 984);
	assert_false(layout.has[NT_CONTRACT_STACKS]);
	assert_string_equal(layout.lacks[NT_CONTRACT_STACKS], "StackWalk");
	snprintf(json, sizeof(json), nine, 296);
	assert_true(read_layout(json, &layout) && !layout.has[NT_CONTRACT_CODE] && !layout.has[NT_CONTRACT_NAMES]);
	snprintf(json, sizeof(json), nine, 288);
	code_ranges = 0;
	assert_true(read_layout(json, &layout) && !layout.has[NT_CONTRACT_CODE]);
}

static void a_text_that_is_none_has_no_feature(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "{", "[]", "{\"types\":3}",
					     "{\"types\":{},\"globals\":{\"Architecture\":[\"arm64\",\"string\"]}}" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct nt_layout layout;
		assert_false(read_layout(texts[i], &layout));
		for (unsigned f = 0; f < NT_CONTRACT_FEATURES; f++)
			assert_false(layout.has[f]);
	}
	char deep[8192];
	struct nt_layout layout;
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_false(read_layout(deep, &layout));
}

/* ---- UNWIND_INFO: version 1, codes in the order in which a prolog is undone ---- */

enum { STACK_AT = 2 * NT_PAGE_BYTES, INFO_AT = NT_PAGE_BYTES };

static struct nt_stack_dump dump = { .bytes = bytes + STACK_AT, .size = NT_PAGE_BYTES, .start = BASE + STACK_AT };

static void put_info(size_t at, unsigned flags, unsigned frame, const uint16_t *codes, unsigned count)
{
	bytes[at] = (uint8_t)(1 | flags << 3);
	bytes[at + 2] = (uint8_t)count;
	bytes[at + 3] = (uint8_t)frame;
	memcpy(bytes + at + 4, codes, count * sizeof(*codes));
}

static void put_word(unsigned number, uint64_t value)
{
	memcpy(bytes + STACK_AT + number * sizeof(value), &value, sizeof(value));
}

static struct nt_frame_regs start(unsigned word)
{
	struct nt_frame_regs regs = { .known = 1 << NT_REG_SP | 1 << NT_REG_PC | 1 << NT_REG_BP };
	regs.value[NT_REG_SP] = BASE + STACK_AT + word * sizeof(uint64_t);
	regs.value[NT_REG_BP] = BASE + STACK_AT + 10 * sizeof(uint64_t);
	return regs;
}

static enum nt_frame_step step(struct nt_frame_regs *regs)
{
	nt_memory_forget(&memory);
	return nt_unwind_info_step(&memory, BASE + INFO_AT, BASE, &dump, regs);
}

/* An operation with its argument. */
#define CODE(operation, argument) (uint16_t)((operation) << 8 | (argument) << 12)

static void pushes_and_room_are_undone(void **state)
{
	(void)state;
	/* sub rsp, 16; push rbx; push rbp */
	const uint16_t codes[] = { CODE(2, 1), CODE(0, 3), CODE(0, 5) };
	struct nt_frame_regs regs = start(0);
	put_info(INFO_AT, 0, 0, codes, 3);
	put_word(2, 0xb0b);
	put_word(3, 0xb9);
	put_word(4, 0xc0de);
	assert_int_equal(step(&regs), NT_STEP_DONE);
	assert_int_equal(regs.value[NT_REG_BX], 0xb0b);
	assert_int_equal(regs.value[NT_REG_BP], 0xb9);
	assert_int_equal(regs.value[NT_REG_PC], 0xc0de);
	assert_int_equal(regs.value[NT_REG_SP], BASE + STACK_AT + 5 * sizeof(uint64_t));
}

static void a_frame_register_leads_back(void **state)
{
	(void)state;
	/* push rbp; lea rbp, [rsp]: whatever lies below rbp is passed over */
	const uint16_t codes[] = { CODE(3, 0), CODE(0, 5) };
	struct nt_frame_regs regs = start(0);
	put_info(INFO_AT, 0, 5, codes, 2);
	put_word(10, 0xb9);
	put_word(11, 0xc0de);
	assert_int_equal(step(&regs), NT_STEP_DONE);
	assert_int_equal(regs.value[NT_REG_BP], 0xb9);
	assert_int_equal(regs.value[NT_REG_PC], 0xc0de);
}

static void large_room_and_chains(void **state)
{
	(void)state;
	const uint16_t large[] = { CODE(1, 0), 4 }, huge[] = { CODE(1, 1), 16, 0 };
	struct nt_frame_regs regs = start(0);
	put_info(INFO_AT, 4, 0, large, 2);
	const uint32_t entry[3] = { 0, 0, INFO_AT + 256 };
	memcpy(bytes + INFO_AT + 4 + sizeof(large), entry, sizeof(entry));
	put_info(INFO_AT + 256, 0, 0, huge, 3);
	put_word(6, 0xc0de);
	assert_int_equal(step(&regs), NT_STEP_DONE);
	assert_int_equal(regs.value[NT_REG_PC], 0xc0de);
}

static void lies_are_refused(void **state)
{
	(void)state;
	const uint16_t unknown[] = { CODE(6, 0) }, cut[] = { CODE(1, 1), 1 }, up[] = { CODE(1, 1), 0xffff, 0xffff };
	const uint16_t down[] = { CODE(3, 0) }, far_down[] = { CODE(11, 0), 0, 0x1000 };
	struct nt_frame_regs regs = start(0), before = regs;
	put_info(INFO_AT, 0, 0, unknown, 1);
	assert_int_equal(step(&regs), NT_STEP_BROKEN);
	put_info(INFO_AT, 0, 0, cut, 2);
	assert_int_equal(step(&regs), NT_STEP_BROKEN);
	put_info(INFO_AT, 0, 0, up, 3);
	assert_int_equal(step(&regs), NT_STEP_OUTSIDE);
	put_info(INFO_AT, 0, 5 | 15 << 4, down, 1); /* below where the stack is */
	assert_int_equal(step(&regs), NT_STEP_BROKEN);
	put_info(INFO_AT, 0, 5, far_down, 3); /* 4 GB */
	assert_int_equal(step(&regs), NT_STEP_BROKEN);
	const uint32_t self[3] = { 0, 0, INFO_AT };
	put_info(INFO_AT, 4, 0, NULL, 0); /* a chain without end */
	memcpy(bytes + INFO_AT + 4, self, sizeof(self));
	assert_int_equal(step(&regs), NT_STEP_BROKEN);
	assert_memory_equal(&regs, &before, sizeof(regs));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pages_are_read_once, setup, teardown),
		cmocka_unit_test_setup_teardown(no_more_pages_are_kept_than_asked_for, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_not_read, setup, teardown),
		cmocka_unit_test_setup_teardown(a_budget_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(steps_end_where_pages_do_not, setup, teardown),
		cmocka_unit_test(a_feature_needs_all_that_it_uses),
		cmocka_unit_test(of_dotnet_9_code_has_names_where_all_lies_as_it_should),
		cmocka_unit_test(a_text_that_is_none_has_no_feature),
		cmocka_unit_test_setup_teardown(pushes_and_room_are_undone, setup, teardown),
		cmocka_unit_test_setup_teardown(a_frame_register_leads_back, setup, teardown),
		cmocka_unit_test_setup_teardown(large_room_and_chains, setup, teardown),
		cmocka_unit_test_setup_teardown(lies_are_refused, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
