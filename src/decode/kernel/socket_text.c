// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/socket_text.h"

#include "base/text.h"
#include "decode/common/digits.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static const char *const files[NT_SOCKET_FAMILY_COUNT] = { "tcp", "tcp6", "udp", "udp6", "unix" };

const char *nt_socket_file(enum nt_socket_family family)
{
	return files[family];
}

/* ---- lines ---- */

static void skip_spaces(const char **at, const char *end)
{
	while (*at < end && **at == ' ')
		++*at;
}

/* Step over one word and the spaces after it. False: there is none. */
static bool skip_word(const char **at, const char *end)
{
	const char *begin = *at;
	while (*at < end && **at != ' ')
		++*at;
	bool any = *at > begin;
	skip_spaces(at, end);
	return any;
}

static bool skip_words(const char **at, const char *end, unsigned count)
{
	while (count--)
		if (!skip_word(at, end))
			return false;
	return true;
}

/* Words of 32 bits as they lie in memory, in the order of this machine's bytes: `0100007F:1388`. */
static bool read_end(const char **at, const char *end, bool six, struct nt_socket_end *out)
{
	size_t words = six ? 4 : 1;
	for (size_t i = 0; i < words; i++) {
		const char *word = *at;
		uint64_t value;
		if (end - word < 8 || !nt_hex_read(&word, *at + 8, &value) || word != *at + 8)
			return false;
		uint32_t bytes = (uint32_t)value;
		memcpy(out->address + 4 * i, &bytes, sizeof(bytes));
		*at = word;
	}
	uint64_t port;
	if (*at == end || *(*at)++ != ':' || !nt_hex_read(at, end, &port) || port > UINT16_MAX)
		return false;
	out->port = (uint16_t)port;
	skip_spaces(at, end);
	return true;
}

/* `  0: 0100007F:1388 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 20911 ...` */
static bool parse_internet(const char *at, const char *end, struct nt_socket *out)
{
	bool six = out->family == NT_SOCKET_TCP6 || out->family == NT_SOCKET_UDP6;
	uint64_t state;
	skip_spaces(&at, end);
	if (!skip_word(&at, end) || !read_end(&at, end, six, &out->local) || !read_end(&at, end, six, &out->remote) ||
	    !nt_hex_read(&at, end, &state) || state >= NT_SOCKET_STATE_COUNT)
		return false;
	out->state = (unsigned)state;
	skip_spaces(&at, end);
	/* Queues, timer, retransmits, user, timeout. */
	return skip_words(&at, end, 5) && nt_decimal_read(&at, end, &out->inode);
}

/* `0000000000000000: 00000002 00000000 00010000 0001 01 18362 /run/systemd/private` */
static bool parse_unix(const char *at, const char *end, struct nt_socket *out)
{
	if (!skip_words(&at, end, 6) || !nt_decimal_read(&at, end, &out->inode))
		return false;
	out->path = at < end ? at + 1 : at;
	out->path_length = (size_t)(end - out->path);
	return true;
}

bool nt_socket_parse(enum nt_socket_family family, const char *line, size_t length, struct nt_socket *out)
{
	*out = (struct nt_socket){ .family = family };
	return (family == NT_SOCKET_UNIX ? parse_unix : parse_internet)(line, line + length, out);
}

uint64_t nt_socket_inode(const char *link, size_t length)
{
	static const char begin[] = "socket:[";
	const char *at = link + strlen(begin);
	uint64_t inode;
	if (length <= strlen(begin) || memcmp(link, begin, strlen(begin)) != 0 || !nt_decimal_read(&at, link + length, &inode))
		return 0;
	return inode;
}

/* ip(7), ipv6(7), unix(7): the family and the port are two bytes each, the port in network order. */
bool nt_socket_address(const uint8_t *bytes, size_t length, struct nt_socket *out)
{
	enum { FAMILY = 2, IN_ADDRESS = 4, IN6_ADDRESS = 8 };
	uint16_t family;
	*out = (struct nt_socket){ .state = NT_SOCKET_ESTABLISHED };
	if (length < FAMILY)
		return false;
	memcpy(&family, bytes, FAMILY);
	if (family == AF_UNIX) {
		out->family = NT_SOCKET_UNIX;
		out->abstract = length > FAMILY + 1 && !bytes[FAMILY];
		out->path = (const char *)bytes + FAMILY + out->abstract;
		out->path_length = strnlen(out->path, length - FAMILY - out->abstract);
		return true;
	}
	bool six = family == AF_INET6;
	size_t at = six ? IN6_ADDRESS : IN_ADDRESS, bytes_of = six ? 16 : 4;
	if ((!six && family != AF_INET) || length < at + bytes_of)
		return false;
	out->family = six ? NT_SOCKET_TCP6 : NT_SOCKET_TCP;
	out->remote.port = (uint16_t)(bytes[FAMILY] << 8 | bytes[FAMILY + 1]);
	memcpy(out->remote.address, bytes + at, bytes_of);
	return true;
}

/* ---- names ---- */

static const char *state_name(unsigned state)
{
	static const char *const names[NT_SOCKET_STATE_COUNT] = {
		[2] = "SYN_SENT", [3] = "SYN_RECV",   [4] = "FIN_WAIT1", [5] = "FIN_WAIT2", [6] = "TIME_WAIT",
		[7] = "CLOSE",    [8] = "CLOSE_WAIT", [9] = "LAST_ACK",  [11] = "CLOSING",  [12] = "NEW_SYN_RECV",
	};
	return state < NT_SOCKET_STATE_COUNT ? names[state] : NULL;
}

/* `10.0.0.5:5432`, `[2001:db8::1]:5432`; an address of IPv4 within IPv6 is written as one of IPv4. */
static void write_end(const struct nt_socket_end *end, bool six, char text[static INET6_ADDRSTRLEN + sizeof("[]:65535")])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	char address[INET6_ADDRSTRLEN];
	bool is_mapped = six && memcmp(end->address, mapped, sizeof(mapped)) == 0, brackets = six && !is_mapped;
	inet_ntop(brackets ? AF_INET6 : AF_INET, is_mapped ? end->address + sizeof(mapped) : end->address, address, sizeof(address));
	sprintf(text, brackets ? "[%s]:%u" : "%s:%u", address, end->port);
}

static size_t name_unix(const struct nt_socket *socket, char text[NT_SOCKET_NAME])
{
	const size_t most = NT_SOCKET_NAME - sizeof("unix @...");
	bool cut = socket->path_length > most;
	size_t kept = cut ? nt_utf8_cut(socket->path, socket->path_length, most) : socket->path_length;
	int length = snprintf(text, NT_SOCKET_NAME, "unix%s%s%.*s%s", kept ? " " : "", socket->abstract ? "@" : "", (int)kept, socket->path,
			      cut ? "..." : "");
	return (size_t)length;
}

size_t nt_socket_name(const struct nt_socket *socket, bool served, char text[NT_SOCKET_NAME])
{
	if (socket->family == NT_SOCKET_UNIX)
		return name_unix(socket, text);
	char end[INET6_ADDRSTRLEN + sizeof("[]:65535")];
	bool six = socket->family == NT_SOCKET_TCP6 || socket->family == NT_SOCKET_UDP6;
	bool udp = socket->family == NT_SOCKET_UDP || socket->family == NT_SOCKET_UDP6;
	bool alone = !socket->remote.port; /* nobody is at the other end: of datagrams that says not that it waits for any */
	bool listens = alone && !udp && socket->state == NT_SOCKET_LISTENS;
	write_end(alone ? &socket->local : &socket->remote, six, end);
	const char *state = udp ? NULL : state_name(socket->state);
	int length;
	if (!alone && served)
		length = snprintf(text, NT_SOCKET_NAME, "clients of :%u%s%s", socket->local.port, state ? " " : "", state ? state : "");
	else
		length = snprintf(text, NT_SOCKET_NAME, "%s%s%s%s%s", udp ? "udp " : "",
				  listens ? "listening at "
				  : alone ? "at "
					  : "",
				  end, state ? " " : "", state ? state : "");
	return (size_t)length;
}
