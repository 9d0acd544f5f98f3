// SPDX-License-Identifier: GPL-2.0-only
#include "serve/sender_process.h"

#include "base/alloc.h"
#include "base/library.h"
#include "base/passed_fds.h"
#include "serve/serve_child.h"
#include "source/decoder/decoder_process.h"

#include <curl/curl.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWER_BYTES (64L << 10) /* nobody reads it; who sends more is cut off */

struct library {
#define FUNCTION(name) __typeof__(curl_##name) *name;
#include "serve/curl_post.def"
};

static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "curl_" #name, offsetof(struct library, name) },
#include "serve/curl_post.def"
};

static bool load(void *context)
{
	struct nt_error failure = { 0 };
	const size_t count = sizeof(functions) / sizeof(functions[0]);
	return (nt_library_load("libcurl.so.4", "libcurl", functions, count, context, &failure) ||
		nt_library_load("libcurl-gnutls.so.4", "libcurl", functions, count, context, &failure)) &&
	       !failure.cause_count;
}

bool nt_sender_is_meant(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], NT_SENDER_WORD) == 0;
}

static size_t read_no_answer(char *bytes, size_t one, size_t length, void *context)
{
	long *left = context;
	(void)bytes, (void)one;
	*left -= (long)length;
	return *left >= 0 ? length : 0;
}

/* Asked at least once a second: whoever waits for a collector that hangs ends with nettop all the same. */
static int ask_whether_alone(void *context, curl_off_t due, curl_off_t got, curl_off_t due_up, curl_off_t sent)
{
	struct pollfd nettop = { .fd = NT_DECODER_FD };
	(void)context, (void)due, (void)got, (void)due_up, (void)sent;
	return poll(&nettop, 1, 0) > 0 && nettop.revents & POLLHUP;
}

/* What is the same for each request. */
static CURLcode set_up(const struct library *curl, CURL *handle)
{
	const struct {
		CURLoption option;
		long value;
	} numbers[] = {
		{ CURLOPT_NOSIGNAL, 1 },
		{ CURLOPT_NOPROGRESS, 0 },
		{ CURLOPT_POST, 1 },
		{ CURLOPT_CONNECTTIMEOUT, NT_SENDER_PATIENCE_S },
		{ CURLOPT_TIMEOUT, NT_SENDER_PATIENCE_S },
	};
	const struct {
		CURLoption option;
		const void *value;
	} pointers[] = {
		{ CURLOPT_USERAGENT, "nettop" },
		{ CURLOPT_PROTOCOLS_STR, "http,https" },
		{ CURLOPT_HTTPHEADER,
		  curl->slist_append(NULL, "Content-Type: application/x-protobuf") }, /* for as long as this process lives */
	};
	CURLcode result = CURLE_OK;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && result == CURLE_OK; i++)
		result = curl->easy_setopt(handle, numbers[i].option, numbers[i].value);
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]) && result == CURLE_OK; i++)
		result = curl->easy_setopt(handle, pointers[i].option, pointers[i].value);
	if (result == CURLE_OK)
		result = curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, read_no_answer);
	return result == CURLE_OK ? curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, ask_whether_alone) : result;
}

/* The handle keeps its connection from one to the next. */
static void post(const struct library *curl, CURL *handle, const char *url, int fd, struct nt_sender_answer *answer)
{
	struct stat stat;
	long status = 0, left = ANSWER_BYTES;
	curl_off_t after = 0;
	void *bytes = fstat(fd, &stat) == 0 ? mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (bytes == MAP_FAILED) {
		snprintf(answer->why, sizeof(answer->why), "%s", strerror(errno));
		return;
	}
	curl->easy_setopt(handle, CURLOPT_URL, url);
	curl->easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
	curl->easy_setopt(handle, CURLOPT_POSTFIELDSIZE, (long)stat.st_size);
	curl->easy_setopt(handle, CURLOPT_WRITEDATA, &left);
	CURLcode result = curl->easy_perform(handle);
	if (result == CURLE_OK && curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK)
		answer->status = (uint32_t)status;
	if (result == CURLE_OK && curl->easy_getinfo(handle, CURLINFO_RETRY_AFTER, &after) == CURLE_OK && after > 0)
		answer->retry_after_s = after < UINT32_MAX ? (uint32_t)after : UINT32_MAX;
	if (result != CURLE_OK)
		snprintf(answer->why, sizeof(answer->why), "%s", curl->easy_strerror(result));
	munmap(bytes, (size_t)stat.st_size);
}

int nt_sender_process_serve(void)
{
	struct library curl;
	int status = nt_serve_child_begin("nettop-sender", load, &curl);
	CURL *handle = status ? NULL : curl.easy_init();
	if (!handle || set_up(&curl, handle) != CURLE_OK)
		return status ? status : 1;
	for (;;) {
		struct nt_sender_order order;
		struct nt_sender_answer answer = { 0 };
		int fds[NT_PASSED_FDS_MAX];
		size_t count;
		ssize_t got = nt_passed_fds_take(NT_DECODER_FD, &order, sizeof(order), 0, fds, &count);
		if (got < 0 && errno == EINTR)
			continue;
		if (got != sizeof(order) || count != 1)
			return 0; /* nettop has gone */
		order.url[sizeof(order.url) - 1] = '\0';
		post(&curl, handle, order.url, fds[0], &answer);
		close(fds[0]);
		if (write(NT_DECODER_FD, &answer, sizeof(answer)) != sizeof(answer))
			return 0;
	}
}
