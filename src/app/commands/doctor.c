// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/doctor.h"

#include "app/common/exit.h"
#include "base/alloc.h"
#include "base/text.h"
#include "source/all/trial.h"
#include "source/common/hand.h"
#include "target/needs/usable.h"
#include "target/process/settings.h"

#include <stdlib.h>

/* As long as the files worker waits for a file of the target. */
#define TARGET_TIMEOUT_NS (2 * NT_NS_PER_S)

/* What is not ok: what that takes away, and the fix. */
static void print_lacking(const struct nt_prerequisite *prerequisite, const struct nt_facts *facts, const struct nt_verdict *verdict,
			  FILE *out)
{
	char fix[NT_FIX_BYTES], sentence[1024];
	nt_text_print(out, nt_prerequisite_sentence(prerequisite, verdict, sentence, sizeof(sentence)));
	if (!nt_usable_needs(facts, prerequisite))
		fputs("; nothing on the screen needs it", out);
	nt_prerequisite_fix(prerequisite, facts, verdict, fix, sizeof(fix));
	if (*fix)
		fprintf(out, "; fix: %s", prerequisite->failures[verdict->failure].at_start ? NT_AT_START : "");
	nt_text_print(out, fix);
}

bool nt_doctor_print(const struct nt_facts *facts, FILE *out)
{
	unsigned lacking = 0;
	for (size_t i = 0; i < NT_PREREQUISITE_COUNT; i++) {
		const struct nt_prerequisite *prerequisite = &nt_prerequisites[i];
		struct nt_verdict verdict;
		if (!nt_prerequisite_judge(prerequisite, facts, &verdict))
			continue;
		fprintf(out, "%-9s  %-24s  ", nt_verdict_name(verdict.state), prerequisite->key);
		lacking += verdict.state != NT_VERDICT_OK && nt_usable_needs(facts, prerequisite);
		if (verdict.state != NT_VERDICT_OK && !nt_usable_replaces(facts, prerequisite)) {
			print_lacking(prerequisite, facts, &verdict, out);
		} else {
			nt_text_print(out, verdict.found);
			fputs(verdict.state == NT_VERDICT_OK ? "" : "; not needed: EventPipe brings these events", out);
		}
		fputc('\n', out);
	}
	if (lacking)
		fprintf(out, "The screen will not be complete: %u of what it needs %s not ok.\n", lacking, lacking == 1 ? "is" : "are");
	else
		fprintf(out, "%s\n",
			facts->target ? "The screen will be complete."
				      : "This machine has all that nettop needs; -p PID looks at a process.");
	return !lacking;
}

/* Reading files of the target, on a thread that can be left behind when one of them hangs. */
struct look {
	struct nt_errand errand;
	struct nt_facts facts;
	struct nt_target *target; /* owned; NULL = none */
};

static void look_run(struct nt_errand *errand)
{
	struct look *look = (struct look *)errand;
	nt_facts_read_target(&look->facts, look->target);
}

static void look_release(struct nt_errand *errand)
{
	struct look *look = (struct look *)errand;
	nt_target_free(look->target);
	free(look);
}

/* On success and on any error but a timeout *look stays the caller's. */
static enum nt_status look_at_target(struct look **look, struct nt_error *err)
{
	if (!(*look)->target)
		return NT_OK;
	struct nt_hand *hand = nt_hand_new();
	uint32_t pid = (*look)->target->pid;
	enum nt_status status = nt_hand_do(hand, &(*look)->errand, TARGET_TIMEOUT_NS);
	nt_hand_free(hand);
	if (status != NT_OK) {
		*look = NULL;
		return nt_error_set(err, NT_ERR_TIMEOUT,
				    "the files of process %u did not answer within 2 s: look at the file systems it is on", pid);
	}
	return NT_OK;
}

static enum nt_status gather(const struct nt_options *options, struct look **out, struct nt_error *err)
{
	struct look *look = nt_alloc(sizeof(*look));
	look->errand = (struct nt_errand){ look_run, look_release };
	enum nt_status status = options->target ? nt_target_find("/proc", options->target, &look->target, err) : NT_OK;
	if (status == NT_OK) {
		nt_facts_read_machine(&look->facts, "");
		look->facts.readonly = options->readonly;
		status = look_at_target(&look, err);
	}
	if (status == NT_OK)
		nt_facts_try(&look->facts, (unsigned)options->perf_hz);
	else if (look)
		look_release(&look->errand);
	*out = status == NT_OK ? look : NULL;
	return status;
}

int nt_doctor_run(const struct nt_options *options, struct nt_error *err)
{
	struct look *look;
	enum nt_status status = gather(options, &look, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	bool complete =
		options->output == NT_OUTPUT_JSON ? nt_doctor_print_json(&look->facts, stdout) : nt_doctor_print(&look->facts, stdout);
	look_release(&look->errand);
	return complete ? NT_EXIT_OK : NT_EXIT_FORBIDDEN;
}
