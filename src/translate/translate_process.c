// SPDX-License-Identifier: GPL-2.0-only
#include "translate/translate_process.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/passed_fds.h"
#include "source/decoder/decoder_confined.h"
#include "source/decoder/decoder_process.h"
#include "source/decoder/folder_confined.h"
#include "translate/translator.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FDS_OF_AN_ORDER = 2, FDS_MOST = 3 /* with a file of names */ };

bool nt_translation_is_meant(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], NT_TRANSLATOR_WORD) == 0;
}

/* Whoever took this process over could write into the recording, but not more than one may have. */
static bool bound_recording(void)
{
	const struct rlimit most = { NT_TRANSLATED_MAX, NT_TRANSLATED_MAX };
	return signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &most) == 0;
}

/* Whoever executes us may order what he likes: the list ends with one without a name. */
static bool is_known(uint32_t translator)
{
	uint32_t i = 0;
	while (i < translator && nt_translators[i].what)
		i++;
	return nt_translators[i].what != NULL;
}

static bool hear(struct nt_translation_order *order, int fds[NT_PASSED_FDS_MAX], struct nt_translation_wish *wish)
{
	size_t count = 0;
	ssize_t got;
	while ((got = nt_passed_fds_take(NT_DECODER_FD, order, sizeof(*order), 0, fds, &count)) < 0 && errno == EINTR)
		continue;
	if (got != sizeof(*order) || count < FDS_OF_AN_ORDER || count > FDS_MOST || !is_known(order->translator))
		return false;
	wish->names = count == FDS_MOST ? fds[FDS_OF_AN_ORDER] : -1;
	memcpy(wish->process, order->process, sizeof(wish->process) - 1);
	return true;
}

/* No stranger's byte is read before there are no rights any more. */
static enum nt_status prepare(const struct nt_translation_order *order, const int *fds, const struct nt_translation_wish *wish,
			      struct nt_error *err)
{
	enum { FIRST_CLOSED = NT_DECODER_FD + 1 + FDS_MOST };
	const struct nt_translator *translator = &nt_translators[order->translator];
	nt_assert(fds[0] < FIRST_CLOSED && fds[1] < FIRST_CLOSED && wish->names < FIRST_CLOSED);
	enum nt_status status = translator->prepare ? translator->prepare(err) : NT_OK;
	if (status != NT_OK || !translator->recognises)
		return status == NT_OK ? nt_folder_confine(fds[0], FIRST_CLOSED, err) : status;
	return nt_decoder_confine(FIRST_CLOSED) ? NT_OK
						: nt_error_set(err, NT_ERR_FAILED, "the process that reads it cannot give up its rights");
}

static enum nt_status translate(const struct nt_translation_order *order, const int *fds, const struct nt_translation_wish *wish,
				struct nt_error *err)
{
	struct nt_recorder *recorder = nt_recorder_take(fds[1], "memory", NT_TRANSLATED_MAX);
	enum nt_status status = nt_translators[order->translator].translate(fds[0], wish, recorder, err);
	if (status >= 0) {
		nt_recorder_end(recorder);
		status = nt_recorder_is_full(recorder) ? nt_error_set(err, NT_ERR_UNSUPPORTED, "it has more than %d MB as a recording",
								      (int)(NT_TRANSLATED_MAX >> 20))
						       : NT_OK;
		if (nt_recorder_problem(recorder))
			status = nt_error_set(err, NT_ERR_FAILED, "%s", nt_recorder_problem(recorder));
	}
	nt_recorder_free(recorder);
	return status;
}

int nt_translation_serve(void)
{
	struct nt_translation_order order;
	struct nt_translation_answer answer = { 0 };
	struct nt_translation_wish wish = { 0 };
	struct nt_error err = { 0 };
	int fds[NT_PASSED_FDS_MAX];
	prctl(PR_SET_NAME, "nettop-translat");
	nt_hash_choose_secret();
	free(nt_alloc(1)); /* malloc() asks for chance once, which is a system call */
	if (!bound_recording() || !hear(&order, fds, &wish))
		return 1;
	answer.status = prepare(&order, fds, &wish, &err);
	if (answer.status == NT_OK)
		answer.status = translate(&order, fds, &wish, &err);
	nt_error_text(&err, answer.sentence, sizeof(answer.sentence));
	return write(NT_DECODER_FD, &answer, sizeof(answer)) == sizeof(answer) ? 0 : 1;
}
