// SPDX-License-Identifier: GPL-2.0-only
#include "source/export/http_get.h"

#include "base/library.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define CONNECT_S     15L
#define WHOLE_S       600L
#define SLOW_S        30L
#define SLOW_BYTES_S  1024L
#define REDIRECTS_MAX 5L

/* ---- the library ---- */

struct library {
#define FUNCTION(name) __typeof__(curl_easy_##name) *name;
#include "source/export/curl.def"
};

static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "curl_easy_" #name, offsetof(struct library, name) },
#include "source/export/curl.def"
};

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static struct library curl;
static struct nt_error failure;

static void load(void)
{
	const size_t count = sizeof(functions) / sizeof(functions[0]);
	if (!nt_library_load("libcurl.so.4", "libcurl", functions, count, &curl, &failure) &&
	    !nt_library_load("libcurl-gnutls.so.4", "libcurl", functions, count, &curl, &failure))
		nt_error_set(&failure, NT_ERR_UNSUPPORTED, "libcurl, which fetches files, cannot be loaded; apt-get install libcurl4");
}

/* ---- one file ---- */

struct transfer {
	const struct nt_http_get *get;
	uint64_t size;
	int errnum;     /* of writing; 0 = none */
	bool too_large; /* more came than is allowed */
};

static size_t take_piece(char *piece, size_t one, size_t length, void *context)
{
	struct transfer *transfer = context;
	(void)one; /* always 1 */
	transfer->too_large = length > transfer->get->limit_bytes - transfer->size;
	for (size_t done = 0; done < length && !transfer->too_large;) {
		ssize_t written = write(transfer->get->fd, piece + done, length - done);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			transfer->errnum = errno;
			break;
		}
		done += (size_t)written;
	}
	if (transfer->too_large || transfer->errnum)
		return length + 1; /* anything but `length` ends it */
	transfer->size += length;
	return length;
}

static int ask_whether_cancelled(void *context, curl_off_t due, curl_off_t got, curl_off_t due_up, curl_off_t sent)
{
	const struct transfer *transfer = context;
	(void)due, (void)got, (void)due_up, (void)sent;
	return transfer->get->cancelled && transfer->get->cancelled();
}

static CURLcode set_up(CURL *handle, const char *url, struct transfer *transfer)
{
	/* Who asked for https is not led away from it. */
	const char *led_to = strncmp(url, "https:", 6) == 0 ? "https" : "http,https";
	const struct {
		CURLoption option;
		long value;
	} numbers[] = {
		{ CURLOPT_FAILONERROR, 1 },
		{ CURLOPT_FOLLOWLOCATION, 1 },
		{ CURLOPT_MAXREDIRS, REDIRECTS_MAX },
		{ CURLOPT_NOSIGNAL, 1 },
		{ CURLOPT_NOPROGRESS, 0 },
		{ CURLOPT_CONNECTTIMEOUT, CONNECT_S },
		{ CURLOPT_TIMEOUT, WHOLE_S },
		{ CURLOPT_LOW_SPEED_LIMIT, SLOW_BYTES_S },
		{ CURLOPT_LOW_SPEED_TIME, SLOW_S },
	};
	const struct {
		CURLoption option;
		const void *value;
	} pointers[] = {
		{ CURLOPT_URL, url },
		{ CURLOPT_USERAGENT, "nettop" },
		{ CURLOPT_PROTOCOLS_STR, "http,https" },
		{ CURLOPT_REDIR_PROTOCOLS_STR, led_to },
		{ CURLOPT_WRITEDATA, transfer },
		{ CURLOPT_XFERINFODATA, transfer },
	};
	CURLcode result = CURLE_OK;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers) && result == CURLE_OK; i++)
		result = curl.setopt(handle, numbers[i].option, numbers[i].value);
	for (size_t i = 0; i < sizeof(pointers) / sizeof(*pointers) && result == CURLE_OK; i++)
		result = curl.setopt(handle, pointers[i].option, pointers[i].value);
	if (result == CURLE_OK)
		result = curl.setopt(handle, CURLOPT_WRITEFUNCTION, take_piece);
	if (result == CURLE_OK)
		result = curl.setopt(handle, CURLOPT_XFERINFOFUNCTION, ask_whether_cancelled);
	return result;
}

/* `code`: the server's answer, 0 = none came. */
static enum nt_status judge(const struct transfer *transfer, CURLcode result, long code, struct nt_error *err)
{
	const char *url = transfer->get->url;
	if (transfer->too_large)
		return nt_error_set(err, NT_ERR_FAILED, "%s is larger than %llu MB, %s", url,
				    (unsigned long long)transfer->get->limit_bytes >> 20, transfer->get->limit_is);
	if (transfer->errnum)
		return nt_error_errno(err, NT_ERR_FAILED, transfer->errnum, "cannot write what %s sends", url);
	switch (result) {
	case CURLE_OK:
		return NT_OK;
	case CURLE_ABORTED_BY_CALLBACK:
		return NT_END;
	case CURLE_HTTP_RETURNED_ERROR:
		if (code == 404 || code == 410)
			return nt_error_set(err, NT_ERR_ABSENT, "%s: there is no such file", url);
		return nt_error_set(err, NT_ERR_FAILED, "%s: the server refuses with HTTP status %ld", url, code);
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
		return nt_error_set(err, NT_ERR_GONE, "%s: %s; look at the network, or name another server with --server URL", url,
				    curl.strerror(result));
	default:
		return nt_error_set(err, code ? NT_ERR_FAILED : NT_ERR_GONE, "%s: %s", url, curl.strerror(result));
	}
}

enum nt_status nt_http_get(const struct nt_http_get *get, uint64_t *size, struct nt_error *err)
{
	struct transfer transfer = { .get = get };
	long code = 0;
	pthread_once(&loading, load);
	if (failure.cause_count) {
		*err = failure;
		return failure.status;
	}
	CURL *handle = curl.init();
	if (!handle)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "libcurl cannot be initialised");
	CURLcode result = set_up(handle, get->url, &transfer);
	if (result == CURLE_OK) {
		result = curl.perform(handle);
		curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
	}
	curl.cleanup(handle);
	*size = transfer.size;
	return judge(&transfer, result, code, err);
}
