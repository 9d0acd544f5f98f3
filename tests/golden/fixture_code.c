// SPDX-License-Identifier: GPL-2.0-only
/* The code of one method: 48 instructions, few of which were sampled. */
#include "fixture_rows.h"

#include "base/alloc.h"

enum { START = 0x1c0, INSTRUCTIONS = 48 };

static const struct {
	uint32_t at; /* instruction */
	uint64_t samples;
} sampled[] = { { 1, 13 }, { 20, 1991 }, { 21, 258 }, { 33, 3510 }, { 40, 1 } };

static const char *const texts[] = {
	"mov     rax, qword ptr [rbx + 0x18]",
	"rep movsb byte ptr [rdi], byte ptr [rsi]",
	"cmp     esi, dword ptr [rax + 8]",
	"jae     +2f4",
};

void fixture_add_code(struct nt_snapshot *snapshot)
{
	struct nt_process_snapshot *process = &snapshot->processes[0];
	uint64_t begin = UINT64_C(0x7f3c81a04000);
	struct nt_annotation *code = &process->annotation;
	*code = (struct nt_annotation){ .method = 100, /* the first row of fixture_shop() */
					.name = "Shop.Export.CsvWriter.AppendRow(ref Row)",
					.raw_name = "instance void [Shop] Shop.Export.CsvWriter::AppendRow(valuetype Shop.Row&)[Tier1]",
					.kind = NT_CODE_JIT,
					.tier = NT_TIER_1,
					.start = begin,
					.end = begin + 0x4c1,
					.hottest = begin + START + 4 * 33,
					.all_samples = 6300,
					.code_count = 3 };
	process->instructions = nt_alloc(INSTRUCTIONS * sizeof(*process->instructions));
	process->instruction_count = INSTRUCTIONS;
	for (uint32_t i = 0; i < INSTRUCTIONS; i++)
		process->instructions[i] = (struct nt_instruction_row){ .address = begin + START + 4 * i,
									.offset = START + 4 * i,
									.text = texts[i % (sizeof(texts) / sizeof(texts[0]))],
									.il_offset = NT_IL_NO_MAPPING };
	/* What the prolog was made of is in no line. */
	for (uint32_t i = 2; i < INSTRUCTIONS; i++) {
		struct nt_instruction_row *row = &process->instructions[i];
		row->il_offset = i / 4 * 7;
		row->line = 118 + i / 16;
		row->file = "/src/Shop/Export/CsvWriter.cs";
		row->place = i < 16 ? "CsvWriter.cs:118" : i < 32 ? "CsvWriter.cs:119" : "CsvWriter.cs:120";
	}
	for (size_t i = 0; i < sizeof(sampled) / sizeof(sampled[0]); i++)
		code->samples += sampled[i].samples;
	for (size_t i = 0; i < sizeof(sampled) / sizeof(sampled[0]); i++) {
		struct nt_instruction_row *row = &process->instructions[sampled[i].at];
		row->samples = sampled[i].samples;
		row->pct = 100.0 * (double)row->samples / (double)code->samples;
		row->marked = row->pct >= 5;
	}
}
