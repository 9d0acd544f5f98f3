// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 16 };

static int ends[2]; /* of a pipe */
static struct nt_text_stream text_stream;
static FILE *out;

static int begin(void **state)
{
	(void)state;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return -1;
	out = nt_text_stream_open(&text_stream, ends[1]);
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (out)
		fclose(out);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

/* What has come out since. */
static const char *come(void)
{
	static char text[ROOM + 1];
	ssize_t length = read(ends[0], text, ROOM);
	text[length > 0 ? length : 0] = '\0';
	return text;
}

static void layout_passes_and_controls_do_not(void **state)
{
	(void)state;
	fputs("a\tb\n\x1b[2J\a\r\xc2\x9b\xe2\x80\xae\xd8\x9c\xff\x7f\n", out);
	fflush(out);
	assert_string_equal(come(), "a\tb\n\\x1b[2J\\x07\\x0d\\x9b\\u{202e}\\u{061c}\xef\xbf\xbd\\x7f\n");
}

/* Wherever buffers end, and whoever writes single bytes. */
static void a_character_may_come_in_parts(void **state)
{
	(void)state;
	static const char parts[] = "h\xc3\xa4 \xe6\x97\xa5 \xf0\x9f\x99\x82 \xe2\x80\xae.\n";
	for (const char *p = parts; *p; p++) {
		fputc(*p, out);
		fflush(out);
	}
	assert_string_equal(come(), "h\xc3\xa4 \xe6\x97\xa5 \xf0\x9f\x99\x82 \\u{202e}.\n");
	fputs("\xe2\x80", out);
	fflush(out);
	assert_string_equal(come(), "");
	fputs("x\n", out);
	fflush(out);
	assert_string_equal(come(), "\xef\xbf\xbd\xef\xbf\xbdx\n");
	fputs("\xf0\x9f", out);
	fclose(out);
	out = NULL;
	assert_string_equal(come(), "\xef\xbf\xbd\xef\xbf\xbd");
}

static void long_texts_are_whole(void **state)
{
	(void)state;
	enum { COUNT = 5000 };
	static char expected[3 * COUNT + 3];
	for (size_t lead = 0; lead < 3; lead++) {
		char *at = stpcpy(expected, &"aa"[2 - lead]);
		for (int i = 0; i < COUNT; i++)
			at = stpcpy(at, i % 100 ? "\xe6\x97\xa5" : "\n");
		fputs(expected, out);
		fflush(out);
		assert_string_equal(come(), expected);
	}
}

/* What comes out is four times what went in. */
static void a_flood_of_controls_fits(void **state)
{
	(void)state;
	enum { COUNT = 10000 };
	for (int i = 0; i < COUNT; i++)
		fputc('\a', out);
	fflush(out);
	const char *text = come();
	assert_int_equal(strlen(text), 4 * COUNT);
	for (int i = 0; i < COUNT; i++)
		assert_memory_equal(text + 4 * i, "\\x07", 4);
}

static void a_message_is_one_write(void **state)
{
	(void)state;
	setvbuf(out, NULL, _IONBF, 0);
	close(ends[0]);
	close(ends[1]);
	/* Then one read gives what one write wrote. */
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK | O_DIRECT), 0);
	text_stream.fd = ends[1];
	fprintf(out, "nettop: %s is %d\n", "a\x1b", 7);
	assert_string_equal(come(), "nettop: a\\x1b is 7\n");
}

static void a_failed_write_is_the_streams_error(void **state)
{
	(void)state;
	int full = text_stream.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(full >= 0);
	fputs("x", out);
	errno = 0;
	assert_int_equal(fflush(out), EOF);
	assert_int_equal(errno, ENOSPC);
	assert_true(ferror(out));
	text_stream.fd = ends[1];
	close(full);
}

int main(void)
{
#define WITH_STREAM(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		WITH_STREAM(layout_passes_and_controls_do_not),
		WITH_STREAM(a_character_may_come_in_parts),
		WITH_STREAM(long_texts_are_whole),
		WITH_STREAM(a_flood_of_controls_fits),
		WITH_STREAM(a_message_is_one_write),
		WITH_STREAM(a_failed_write_is_the_streams_error),
	};
	return cmocka_run_group_tests_name("text stream", tests, NULL, NULL);
}
