// SPDX-License-Identifier: GPL-2.0-only
/* Who is asked for debug files, and by which addresses: the contract with symbol servers and debuginfod. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/common/symbol_cache.h"
#include "source/export/symbol_servers.h"

#include <stdlib.h>
#include <string.h>

static const struct nt_build_id id = { .bytes = { 0x79, 0x94, 0x5f, 0x00, 0xff }, .length = 5 };

static void expect_url(const struct nt_symbol_server *server, enum nt_symbol_protocol protocol, const char *expected)
{
	char *url = nt_symbol_url(server, protocol, &id);
	assert_string_equal(url, expected);
	free(url);
}

static void test_one_that_is_given(void **state)
{
	(void)state;
	struct nt_symbol_servers servers;
	setenv("DEBUGINFOD_URLS", "https://debuginfod.example.org", 1);
	assert_int_equal(nt_symbol_servers_init(&servers, "http://localhost:8002//", NULL), NT_OK);
	assert_int_equal(servers.count, 1); /* and nobody else */
	assert_int_equal(servers.items[0].protocols, 1u << NT_SYMBOLS_SSQP | 1u << NT_SYMBOLS_DEBUGINFOD);
	expect_url(&servers.items[0], NT_SYMBOLS_SSQP, "http://localhost:8002/_.debug/elf-buildid-sym-79945f00ff/_.debug");
	expect_url(&servers.items[0], NT_SYMBOLS_DEBUGINFOD, "http://localhost:8002/buildid/79945f00ff/debuginfo");
	nt_symbol_servers_fini(&servers);
}

static void test_the_usual_ones(void **state)
{
	(void)state;
	struct nt_symbol_servers servers;
	setenv("DEBUGINFOD_URLS", "  https://a.example.org/ file:///srv\thttp://b.example.org:8002/x ", 1);
	assert_int_equal(nt_symbol_servers_init(&servers, NULL, NULL), NT_OK);
	assert_int_equal(servers.count, 3);
	assert_string_equal(servers.items[0].url, "https://msdl.microsoft.com/download/symbols");
	assert_int_equal(servers.items[0].protocols, 1u << NT_SYMBOLS_SSQP);
	assert_string_equal(servers.items[1].url, "https://a.example.org");
	assert_int_equal(servers.items[1].protocols, 1u << NT_SYMBOLS_DEBUGINFOD);
	assert_string_equal(servers.items[2].url, "http://b.example.org:8002/x");
	nt_symbol_servers_fini(&servers);
	unsetenv("DEBUGINFOD_URLS");
	assert_int_equal(nt_symbol_servers_init(&servers, NULL, NULL), NT_OK);
	assert_int_equal(servers.count, 1);
	nt_symbol_servers_fini(&servers);
}

static void test_what_is_no_server(void **state)
{
	(void)state;
	static const char *const bad[] = { "", "localhost:8002", "file:///etc", "ftp://x", "httpx://x" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct nt_symbol_servers servers;
		struct nt_error err = { 0 };
		assert_int_equal(nt_symbol_servers_init(&servers, bad[i], &err), NT_ERR_USAGE);
		assert_non_null(strstr(err.cause[0], "give a URL"));
		nt_symbol_servers_fini(&servers);
	}
}

static void expect_cache(const char *expected)
{
	char *dir = nt_symbol_cache_dir();
	assert_string_equal(dir ? dir : "none", expected);
	free(dir);
}

static void test_cache(void **state)
{
	(void)state;
	unsetenv("HOME");
	unsetenv("XDG_CACHE_HOME");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	expect_cache("none");
	setenv("HOME", "/home/me", 1);
	expect_cache("/home/me/.cache/debuginfod_client");
	setenv("XDG_CACHE_HOME", "/var/cache/me", 1);
	expect_cache("/var/cache/me/debuginfod_client");
	setenv("DEBUGINFOD_CACHE_PATH", "/srv/symbols", 1);
	expect_cache("/srv/symbols");
	setenv("DEBUGINFOD_CACHE_PATH", "relative", 1); /* to what? */
	expect_cache("/var/cache/me/debuginfod_client");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_that_is_given),
		cmocka_unit_test(test_the_usual_ones),
		cmocka_unit_test(test_what_is_no_server),
		cmocka_unit_test(test_cache),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
