// SPDX-License-Identifier: GPL-2.0-only
/* Input: a .nettrace file. Whatever it says, what becomes of it is a recording that is read to its end, whose times go on. */
#include "fuzz.h"

#include "record/recording_file.h"
#include "translate/nettrace_translate.h"

#include <sys/mman.h>
#include <unistd.h>

/* A name of a method is written three times: into the list, into a batch, into a frame that is packed. Each second that the file's times leap over is a tick, of which there are at most 2^18. */
FUZZ_STEPS(1 << 28, 1 << 14)

/* A recorder and a reader of frames are begun and ended for each input. */
size_t fuzz_cut_step(size_t size)
{
	return size / 32 + 1;
}

static int in_memory(const uint8_t *data, size_t size)
{
	int fd = memfd_create("nettop-fuzz", MFD_CLOEXEC);
	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return fd;
}

static void read_back(int fd)
{
	struct nt_recording_file *file;
	struct nt_recording_input input;
	enum nt_status status;
	nt_time now = 0;
	FUZZ_CHECK(lseek(fd, 0, SEEK_SET) == 0);
	FUZZ_CHECK(nt_recording_file_take(fd, "memory", &file, NULL) == NT_OK);
	while ((status = nt_recording_file_next(file, &input, NULL)) == NT_OK) {
		if (input.what != NT_RECORDED_TICK)
			continue;
		FUZZ_CHECK(input.tick.now >= now);
		now = input.tick.now;
	}
	FUZZ_CHECK(status == NT_END);
	nt_recording_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	int in = in_memory(data, size), out = in_memory(data, 0), kept = dup(out);
	struct nt_recorder *recorder = nt_recorder_take(out, "memory", 0);
	enum nt_status status = nt_nettrace_translate(in, &(struct nt_translation_wish){ .names = -1 }, recorder, NULL);
	FUZZ_CHECK(status == NT_OK || status == NT_ERR_MALFORMED || status == NT_ERR_UNSUPPORTED);
	nt_recorder_end(recorder);
	FUZZ_CHECK(!nt_recorder_problem(recorder));
	nt_recorder_free(recorder);
	close(in);
	if (status == NT_OK)
		read_back(kept);
	else
		close(kept);
	return 0;
}
