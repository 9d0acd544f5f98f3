// SPDX-License-Identifier: GPL-2.0-only
#include "translate/open_file.h"

#include "base/file.h"
#include "base/passed_fds.h"
#include "base/plain_rights.h"
#include "source/decoder/decoder_child.h"
#include "source/decoder/decoder_process.h"
#include "translate/translate_process.h"
#include "translate/translator.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* A descriptor of the folder; -1: it is none, or it cannot be read, of which whoever wants a file will say why. */
static int open_folder(const char *path)
{
	struct nt_plain_rights rights = nt_plain_rights_begin();
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	nt_plain_rights_end(rights);
	return fd;
}

/* Its place in nt_translators; -1: nobody's. */
static int translator_of(int fd, bool folder)
{
	uint8_t begin[NT_TRANSLATOR_BEGIN];
	ssize_t size = folder ? 0 : pread(fd, begin, sizeof(begin), 0);
	for (int i = 0; size >= 0 && nt_translators[i].what; i++) {
		bool (*recognises)(const uint8_t *, size_t) = nt_translators[i].recognises;
		if (folder ? !recognises : recognises && size && recognises(begin, (size_t)size))
			return i;
	}
	return -1;
}

/* The answer of who translates, for which it is waited: as long as it takes. */
static enum nt_status hear(const struct nt_decoder_child *child, struct nt_error *err)
{
	struct nt_translation_answer answer;
	ssize_t got;
	while ((got = recv(child->fd, &answer, sizeof(answer), 0)) < 0 && errno == EINTR)
		continue;
	if (got != sizeof(answer))
		return nt_error_set(err, NT_ERR_FAILED, "the process that reads it has ended: it is of no form that nettop can take");
	answer.sentence[sizeof(answer.sentence) - 1] = '\0';
	return answer.status < 0 ? nt_error_set(err, (enum nt_status)answer.status, "%s", answer.sentence) : NT_OK;
}

/* What is wished, as far as such a file has it. *names is the caller's to close. */
static enum nt_status take_wish(const struct nt_translator *translator, const struct nt_open_wish *wish, struct nt_translation_order *order,
				int *names, struct nt_error *err)
{
	if (wish->process && !translator->chooses)
		return nt_error_set(err, NT_ERR_USAGE, "it is of one process: there is none to be chosen (%s)", wish->process);
	if (wish->process && strlen(wish->process) >= sizeof(order->process))
		return nt_error_set(err, NT_ERR_USAGE, "no process has so long a name: %s", wish->process);
	if (wish->names && !translator->takes_names)
		return nt_error_set(err, NT_ERR_USAGE, "it has its names itself: %s is not needed", wish->names);
	if (wish->process)
		memcpy(order->process, wish->process, strlen(wish->process));
	return wish->names ? nt_recording_file_open_fd(wish->names, names, err) : NT_OK;
}

static enum nt_status ask(const struct nt_translation_order *order, const int *fds, size_t count, struct nt_error *err)
{
	struct nt_decoder_child child;
	pid_t left;
	int reason = nt_decoder_child_start(&child, NT_TRANSLATOR_WORD);
	if (reason)
		return nt_error_errno(err, NT_ERR_FAILED, reason, "there is no process to read it");
	bool asked = nt_passed_fds_send(child.fd, order, sizeof(*order), fds, count);
	enum nt_status status =
		asked ? hear(&child, err) : nt_error_errno(err, NT_ERR_FAILED, errno, "the process to read it does not answer");
	nt_decoder_child_end(&child, &left);
	return status;
}

static enum nt_status translate(int fd, int translator, const struct nt_open_wish *wish, int recording, struct nt_error *err)
{
	struct nt_translation_order order = { .translator = (uint32_t)translator };
	int names = -1;
	enum nt_status status = take_wish(&nt_translators[translator], wish, &order, &names, err);
	if (status == NT_OK)
		status = ask(&order, (const int[]){ fd, recording, names }, names < 0 ? 2 : 3, err);
	if (names >= 0)
		close(names);
	return status;
}

static enum nt_status open_translated(int fd, int translator, const char *path, const struct nt_open_wish *wish,
				      struct nt_recording_file **out, struct nt_error *err)
{
	int recording = memfd_create("nettop-recording", MFD_CLOEXEC);
	if (recording < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "no memory to read %s into", path);
	enum nt_status status = translate(fd, translator, wish, recording, err);
	if (status == NT_OK && lseek(recording, 0, SEEK_SET) == 0)
		return nt_recording_file_take(recording, path, out, err);
	nt_error_wrap(err, "cannot read %s, %s", path, nt_translators[translator].what);
	close(recording);
	return status;
}

enum nt_status nt_open_file(const char *path, const struct nt_open_wish *wish, struct nt_recording_file **out, struct nt_error *err)
{
	int fd = open_folder(path);
	bool folder = fd >= 0;
	enum nt_status status = folder ? NT_OK : nt_recording_file_open_fd(path, &fd, err);
	if (status != NT_OK)
		return status;
	int translator = translator_of(fd, folder);
	if (translator < 0 && (wish->process || wish->names)) {
		close(fd);
		return nt_error_set(err, NT_ERR_USAGE, "%s is no file of several processes, or without names: there is nothing to choose",
				    path);
	}
	if (translator < 0)
		return nt_recording_file_take(fd, path, out, err);
	status = open_translated(fd, translator, path, wish, out, err);
	close(fd);
	return status;
}
