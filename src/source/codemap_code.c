// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_code.h"

#include "base/alloc.h"
#include "nettop/annotation.h"
#include "source/disassembly.h"
#include "source/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The memory is read where the code runs: it is the same for all kinds of code, and it is what runs. */
struct reading {
	struct nt_errand errand;
	char *path; /* owned */
	uint64_t start;
	size_t wanted, length;
	int errnum; /* why there is nothing */
	uint8_t bytes[];
};

static void run(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	int fd = open(reading->path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : nt_foreign_read(fd, reading->bytes, reading->wanted, (off_t)reading->start);
	reading->errnum = errno;
	reading->length = got > 0 ? (size_t)got : 0;
	if (fd >= 0)
		close(fd);
}

static void release(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	free(reading->path);
	free(reading);
}

static struct reading *new_reading(const struct nt_codemap_target *target, const struct nt_codemap_question *question)
{
	uint64_t size = question->map_end > question->map_start ? question->map_end - question->map_start : 0;
	size_t wanted = size < NT_CODE_BYTES_MAX ? (size_t)size : NT_CODE_BYTES_MAX;
	struct reading *reading = nt_alloc(sizeof(*reading) + wanted);
	reading->errand = (struct nt_errand){ .run = run, .release = release };
	reading->path = nt_format("%s/mem", target->proc_dir);
	reading->start = question->map_start;
	reading->wanted = wanted;
	return reading;
}

static const char *reason_of(int errnum)
{
	if (errnum == EACCES || errnum == EPERM)
		return "its code cannot be read: that needs the target's user, or root with CAP_SYS_PTRACE";
	return "its code is not in the target's memory any more";
}

static void put(const struct nt_codemap_question *question, const struct nt_disassembly *code, const char *reason,
		struct nt_codemap_out *out)
{
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_ASSEMBLY, nt_clock_now());
	event->u.assembly.start = question->map_start;
	event->u.assembly.reason = nt_codemap_out_cstr(out, reason);
	nt_batch_add_instructions(out->batch, code->lines, code->count, code->text);
}

void nt_codemap_code_answer(const struct nt_codemap_target *target, struct nt_hand *hand, const struct nt_codemap_question *question,
			    struct nt_codemap_out *out)
{
	char text[NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	struct nt_disassembly code = { 0 };
	struct reading *reading = new_reading(target, question);
	enum nt_status status = nt_hand_do(hand, &reading->errand, NT_CODEMAP_TIMEOUT_NS);
	if (status == NT_END)
		return; /* we are closing */
	const char *reason = NULL;
	if (status != NT_OK)
		reason = "its code cannot be read: timed out";
	else if (!reading->length)
		reason = reason_of(reading->errnum);
	else if (nt_disassemble(reading->bytes, reading->length, reading->start, &code, &err) != NT_OK)
		reason = nt_error_text(&err, text, sizeof(text));
	put(question, &code, reason, out);
	nt_disassembly_fini(&code);
	if (status == NT_OK)
		release(&reading->errand);
}
