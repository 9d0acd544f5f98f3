// SPDX-License-Identifier: GPL-2.0-only
/* What a request is answered, by its head; where a server listens. */
#include "serve/listen_address.h"
#include "serve/web_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static unsigned judged(const char *method, const char *path, const char *host, bool loopback)
{
	const struct nt_web_request request = { .method = method, .path = path, .host = host, .loopback = loopback };
	enum nt_web_form form;
	const char *refusal;
	unsigned status = nt_web_judge(&request, &form, &refusal);
	assert_int_equal(status == 200, refusal == NULL);
	assert_true(!refusal || (strlen(refusal) < NT_WEB_SENTENCE && refusal[strlen(refusal) - 1] == '\n'));
	return status;
}

static void test_there_is_one_path_and_it_is_read(void **state)
{
	(void)state;
	assert_int_equal(judged("GET", "/metrics", "localhost:6388", true), 200);
	assert_int_equal(judged("HEAD", "/metrics", "127.0.0.1", true), 200);
	assert_int_equal(judged("GET", "/", "localhost", true), 404);
	assert_int_equal(judged("GET", "/metrics/", "localhost", true), 404);
	assert_int_equal(judged("GET", "/../metrics", "localhost", true), 404);
	assert_int_equal(judged("POST", "/metrics", "localhost", true), 405);
	assert_int_equal(judged("get", "/metrics", "localhost", true), 405);
}

/* A page in a browser on this machine may be told that its server is 127.0.0.1: it comes under the name of the page. */
static void test_loopback_is_for_this_machine(void **state)
{
	(void)state;
	static const char *const own[] = { NULL, "localhost", "LOCALHOST:1", "127.0.0.1:6388", "[::1]:6388", "" };
	static const char *const others[] = { "example.org", "localhost.example.org", "localhosts", "127.0.0.1.example.org:80" };
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		assert_int_equal(judged("GET", "/metrics", own[i], true), 200);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_equal(judged("GET", "/metrics", others[i], true), 403);
		assert_int_equal(judged("GET", "/metrics", others[i], false), 200);
	}
}

static void test_the_form_is_what_the_reader_accepts(void **state)
{
	(void)state;
	static const struct {
		const char *accept;
		enum nt_web_form form;
	} cases[] = {
		{ NULL, NT_WEB_PROMETHEUS },
		{ "*/*", NT_WEB_PROMETHEUS },
		{ "text/plain;version=0.0.4", NT_WEB_PROMETHEUS },
		{ "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", NT_WEB_OPENMETRICS },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct nt_web_request request = { .method = "GET", .path = "/metrics", .accept = cases[i].accept };
		enum nt_web_form form;
		const char *refusal;
		assert_int_equal(nt_web_judge(&request, &form, &refusal), 200);
		assert_int_equal(form, cases[i].form);
	}
	assert_non_null(strstr(nt_web_content_type(NT_WEB_OPENMETRICS), "openmetrics-text; version=1.0.0"));
	assert_non_null(strstr(nt_web_content_type(NT_WEB_PROMETHEUS), "version=0.0.4"));
}

static void test_where_to_listen(void **state)
{
	(void)state;
	static const struct {
		const char *text, *is; /* NULL = it is none */
		bool loopback;
	} cases[] = {
		{ NT_LISTEN_DEFAULT, NT_LISTEN_DEFAULT, true },
		{ "9000", "127.0.0.1:9000", true },
		{ "127.3.2.1:9000", "127.3.2.1:9000", true },
		{ "0.0.0.0:9000", "0.0.0.0:9000", false },
		{ "10.1.2.3:9000", "10.1.2.3:9000", false },
		{ "[::1]:9000", "[::1]:9000", true },
		{ "[::]:9000", "[::]:9000", false },
		{ "::1:9000", NULL, false },
		{ ":9000", NULL, false },
		{ "", NULL, false },
		{ "localhost:9000", NULL, false },
		{ "127.0.0.1", NULL, false },
		{ "127.0.0.1:", NULL, false },
		{ "127.0.0.1:65536", NULL, false },
		{ "127.0.0.1:-1", NULL, false },
		{ "127.0.0.1: 1", NULL, false },
		{ "1234567890123456789012345678901234567890123456789:1", NULL, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_listen_address address;
		struct nt_error err = { 0 };
		char text[NT_LISTEN_TEXT];
		enum nt_status status = nt_listen_parse(cases[i].text, &address, &err);
		assert_int_equal(status, cases[i].is ? NT_OK : NT_ERR_USAGE);
		if (!cases[i].is)
			continue;
		assert_string_equal(nt_listen_text(&address, text), cases[i].is);
		assert_int_equal(address.loopback, cases[i].loopback);
	}
}

static void test_a_port_that_somebody_has_is_a_sentence(void **state)
{
	(void)state;
	struct nt_listen_address first, second;
	struct nt_error err = { 0 };
	char text[NT_LISTEN_TEXT], sentence[NT_ERROR_TEXT];
	int fd, other;
	assert_int_equal(nt_listen_parse("0", &first, &err), NT_OK);
	assert_int_equal(nt_listen_open(&first, &fd, &err), NT_OK);
	assert_string_not_equal(nt_listen_text(&first, text), "127.0.0.1:0");
	assert_int_equal(nt_listen_parse(text, &second, &err), NT_OK);
	assert_int_equal(nt_listen_open(&second, &other, &err), NT_ERR_FAILED);
	assert_non_null(strstr(nt_error_text(&err, sentence, sizeof(sentence)), text));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_is_one_path_and_it_is_read),       cmocka_unit_test(test_loopback_is_for_this_machine),
		cmocka_unit_test(test_the_form_is_what_the_reader_accepts),    cmocka_unit_test(test_where_to_listen),
		cmocka_unit_test(test_a_port_that_somebody_has_is_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
