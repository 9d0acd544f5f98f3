// SPDX-License-Identifier: GPL-2.0-only
/* Lines as kernels 5.10 and 6.x write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/socket_text.h"

#include <stdio.h>
#include <string.h>

static void names_who_is_at_the_other_end(void **state)
{
	(void)state;
	static const struct {
		enum nt_socket_family family;
		const char *line;
		unsigned inode;
		bool served;
		const char *name;
	} cases[] = {
		{ NT_SOCKET_TCP,
		  "   0: 0100007F:1388 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 20911 1 0000000000000000 100 "
		  "0 0 10 0",
		  20911, true, "listening at 127.0.0.1:5000" },
		{ NT_SOCKET_TCP,
		  "  12: 0200A8C0:D431 0500000A:1538 01 00000000:00000000 02:000A7D8E 00000000  1000        0 31337 2 0000000000000000 20 "
		  "4 30 10 -1",
		  31337, false, "10.0.0.5:5432" },
		{ NT_SOCKET_TCP,
		  "  13: 0200A8C0:D432 0500000A:1538 08 00000000:00000000 00:00000000 00000000  1000        0 31338 1 0000000000000000 20 "
		  "4 30 10 -1",
		  31338, false, "10.0.0.5:5432 CLOSE_WAIT" },
		{ NT_SOCKET_TCP,
		  "  14: 0100007F:1388 0100007F:D433 01 00000000:00000000 00:00000000 00000000     0        0 31339 1 0000000000000000 20 "
		  "4 30 10 -1",
		  31339, true, "clients of :5000" },
		{ NT_SOCKET_TCP6,
		  "   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 "
		  "00000000  1000        0 777 1 0000000000000000 100 0 0 10 0",
		  777, true, "listening at [::]:8080" },
		{ NT_SOCKET_TCP6,
		  "   1: 0000000000000000FFFF00000200A8C0:E000 0000000000000000FFFF00000500000A:1538 01 00000000:00000000 00:00000000 "
		  "00000000  1000        0 778 1 0000000000000000 20 4 30 10 -1",
		  778, false, "10.0.0.5:5432" },
		{ NT_SOCKET_TCP6,
		  "   2: B80D0120000000000000000001000000:E001 B80D0120000000000000000002000000:01BB 01 00000000:00000000 00:00000000 "
		  "00000000  1000        0 779 1 0000000000000000 20 4 30 10 -1",
		  779, false, "[2001:db8::2]:443" },
		{ NT_SOCKET_UDP,
		  " 1234: 3600007F:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000   101        0 18001 2 0000000000000000 0",
		  18001, false, "udp at 127.0.0.54:53" },
		{ NT_SOCKET_UDP,
		  " 1235: 0200A8C0:A000 0100A8C0:0035 01 00000000:00000000 00:00000000 00000000   101        0 18002 2 0000000000000000 0",
		  18002, false, "udp 192.168.0.1:53" },
		{ NT_SOCKET_UNIX, "0000000000000000: 00000002 00000000 00010000 0001 01 18362 /run/a b/private", 18362, false,
		  "unix /run/a b/private" },
		{ NT_SOCKET_UNIX, "0000000000000000: 00000003 00000000 00000000 0001 03 18363", 18363, false, "unix" },
		{ NT_SOCKET_UNIX, "0000000000000000: 00000003 00000000 00000000 0001 03 18364 @/tmp/x", 18364, false, "unix @/tmp/x" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_socket socket;
		char name[NT_SOCKET_NAME];
		assert_true(nt_socket_parse(cases[i].family, cases[i].line, strlen(cases[i].line), &socket));
		assert_int_equal(socket.inode, cases[i].inode);
		size_t length = nt_socket_name(&socket, cases[i].served, name);
		assert_string_equal(name, cases[i].name);
		assert_int_equal(length, strlen(name));
	}
}

static void other_lines_are_none(void **state)
{
	(void)state;
	static const char line[] = "   0: 0100007F:1388 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 20911 1 "
				   "0000000000000000 100 0 0 10 0";
	static const struct {
		enum nt_socket_family family;
		const char *line;
	} cases[] = {
		{ NT_SOCKET_TCP, "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode" },
		{ NT_SOCKET_UNIX, "Num       RefCount Protocol Flags    Type St Inode Path" },
		{ NT_SOCKET_TCP, "" },
		{ NT_SOCKET_UNIX, "      " },
		{ NT_SOCKET_TCP, "   0: 0100007G:1388 00000000:0000 0A 0:0 0:0 0 0 0 1" },
		{ NT_SOCKET_TCP, "   0: 0100007F:11388 00000000:0000 0A 0:0 0:0 0 0 0 1" },
		{ NT_SOCKET_TCP, "   0: 0100007F:1388 00000000:0000 7F 0:0 0:0 0 0 0 1" },
		{ NT_SOCKET_TCP6, line }, /* its addresses are too short */
	};
	struct nt_socket socket;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_false(nt_socket_parse(cases[i].family, cases[i].line, strlen(cases[i].line), &socket));
	size_t inode_at = (size_t)(strstr(line, "20911") - line);
	for (size_t length = 0; length <= inode_at; length++)
		assert_false(nt_socket_parse(NT_SOCKET_TCP, line, length, &socket));
}

static void a_long_path_is_cut(void **state)
{
	(void)state;
	char line[600], name[NT_SOCKET_NAME];
	memset(line, 'x', sizeof(line));
	memcpy(line, "0: 1 0 0 1 1 5 /", 16);
	struct nt_socket socket;
	assert_true(nt_socket_parse(NT_SOCKET_UNIX, line, sizeof(line), &socket));
	size_t length = nt_socket_name(&socket, false, name);
	assert_true(length < sizeof(name));
	assert_int_equal(length, strlen(name));
	assert_string_equal(name + length - 4, "x...");
}

static void links_have_numbers(void **state)
{
	(void)state;
	static const struct {
		const char *link;
		uint64_t inode;
	} cases[] = { { "socket:[273455]", 273455 }, { "socket:[", 0 }, { "socket:[x]", 0 }, { "pipe:[1]", 0 }, { "", 0 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(nt_socket_inode(cases[i].link, strlen(cases[i].link)), cases[i].inode);
}

/* As programs hand them to connect(). */
static void addresses_are_called_alike(void **state)
{
	(void)state;
	static const struct {
		const char *bytes; /* those of a family of this machine begin with its number, whose first byte is written here */
		size_t length;
		const char *name; /* NULL: it is none */
	} cases[] = {
		{ "\2\0\x15\x38\x0a\0\0\5\0\0\0\0\0\0\0\0", 16, "10.0.0.5:5432" },
		{ "\2\0\x15\x38\x0a\0\0\5", 8, "10.0.0.5:5432" },
		{ "\2\0\x15\x38\x0a\0\0", 7, NULL },
		{ "\x0a\0\1\xbb\0\0\0\0\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0", 28, "[2001:db8::2]:443" },
		{ "\x0a\0\x15\x38\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\5\0\0\0\0", 28, "10.0.0.5:5432" },
		{ "\x0a\0\1\xbb\0\0\0\0\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0", 23, NULL },
		{ "\1\0/run/x\0y", 10, "unix /run/x" },
		{ "\1\0\0/tmp/x", 9, "unix @/tmp/x" },
		{ "\1\0", 2, "unix" },
		{ "\x10\0\0\0\0\0\0\0\0\0\0\0", 12, NULL }, /* netlink */
		{ "\2", 1, NULL },
		{ "", 0, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_socket socket;
		char name[NT_SOCKET_NAME];
		bool is_one = nt_socket_address((const uint8_t *)cases[i].bytes, cases[i].length, &socket);
		assert_int_equal(is_one, cases[i].name != NULL);
		if (!is_one)
			continue;
		size_t length = nt_socket_name(&socket, false, name);
		assert_string_equal(name, cases[i].name);
		assert_int_equal(length, strlen(name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_who_is_at_the_other_end),
		cmocka_unit_test(other_lines_are_none),
		cmocka_unit_test(a_long_path_is_cut),
		cmocka_unit_test(links_have_numbers),
		cmocka_unit_test(addresses_are_called_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
