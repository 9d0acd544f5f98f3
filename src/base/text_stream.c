// SPDX-License-Identifier: GPL-2.0-only
#include "base/text_stream.h"

#include "base/text.h"
#include "nettop/status.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum {
	PIECE = 1024, /* of what is written, at a time */
	GROWS_TO = 4, /* a byte: \xNN */
	ROOM = GROWS_TO * (PIECE + 4) + 1,
};

/* What is gathered before it is written: a message is one write. */
struct escaped {
	char bytes[ROOM];
	size_t length;
};

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		length -= (size_t)written;
	}
	return true;
}

static bool is_layout(char byte)
{
	return byte == '\n' || byte == '\t';
}

static void escape(struct escaped *escaped, const char *text, size_t length)
{
	for (size_t at = 0, end; at < length; at = end) {
		if (is_layout(text[at])) {
			escaped->bytes[escaped->length++] = text[at];
			end = at + 1;
			continue;
		}
		for (end = at; end < length && !is_layout(text[end]);)
			end++;
		escaped->length += nt_text_escape(text + at, end - at, escaped->bytes + escaped->length, ROOM - escaped->length);
	}
}

/* How many bytes at the end are the begin of a character. */
static size_t unfinished(const char *text, size_t length)
{
	for (size_t back = 1; back <= 3 && back <= length; back++) {
		unsigned char byte = (unsigned char)text[length - back];
		size_t needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		if (byte < 0x80 || byte >= 0xc0)
			return needs > back ? back : 0;
	}
	return 0;
}

static bool put_piece(struct nt_text_stream *state, const char *text, size_t length)
{
	char joined[PIECE + sizeof(state->partial)];
	struct escaped escaped = { .length = 0 };
	memcpy(joined, state->partial, state->partial_length);
	memcpy(joined + state->partial_length, text, length);
	length += state->partial_length;
	state->partial_length = unfinished(joined, length);
	length -= state->partial_length;
	memcpy(state->partial, joined + length, state->partial_length);
	escape(&escaped, joined, length);
	return write_all(state->fd, escaped.bytes, escaped.length);
}

/* Bytes at the begin that need nothing done to them: of thousands of lines a second all of them, mostly. */
static size_t harmless(const char *text, size_t length)
{
	size_t plain = 0;
	while (plain < length) {
		plain += nt_text_plain_length(text + plain, length - plain);
		if (plain == length || !is_layout(text[plain]))
			break;
		plain++;
	}
	return plain;
}

static ssize_t put(void *cookie, const char *text, size_t length)
{
	struct nt_text_stream *state = cookie;
	for (size_t at = 0, taken; at < length; at += taken) {
		size_t plain = state->partial_length ? 0 : harmless(text + at, length - at);
		bool as_it_is = plain > PIECE || plain == length - at;
		taken = as_it_is ? plain : length - at < PIECE ? length - at : PIECE;
		if (as_it_is ? !write_all(state->fd, text + at, taken) : !put_piece(state, text + at, taken))
			return 0; /* for a cookie's write this is the error, not -1 */
	}
	return (ssize_t)length;
}

static int finish(void *cookie)
{
	struct nt_text_stream *state = cookie;
	struct escaped escaped = { .length = 0 };
	escape(&escaped, state->partial, state->partial_length);
	state->partial_length = 0;
	return write_all(state->fd, escaped.bytes, escaped.length) ? 0 : -1;
}

FILE *nt_text_stream_open(struct nt_text_stream *state, int fd)
{
	*state = (struct nt_text_stream){ .fd = fd };
	FILE *stream = fopencookie(state, "w", (cookie_io_functions_t){ .write = put, .close = finish });
	nt_assert(stream);
	return stream;
}
