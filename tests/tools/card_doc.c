// SPDX-License-Identifier: GPL-2.0-only
/* Writes doc/CARD.md from the tables of marks, keys and habits to standard output. */
#include "ui/screen/habits.h"
#include "ui/screen/marks.h"

#include <stdio.h>
#include <string.h>

/* Within a cell of a table, as code: a bar would end the cell. */
static void put_code(const char *text)
{
	fputs("`", stdout);
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
	fputs("`", stdout);
}

static void put_marks(void)
{
	puts("## What the marks mean\n\n| mark | means |\n|---|---|");
	for (size_t i = 0; i < nt_mark_count; i++) {
		fputs("| ", stdout);
		put_code(nt_marks[i].sign);
		printf(" | %s |\n", nt_marks[i].means);
	}
}

static void put_keys(void)
{
	puts("\n## Keys\n\n| | |\n|---|---|");
	for (int group = 0; group < NT_KEY_GROUP_COUNT; group++) {
		if (group == NT_KEYS_RESERVED)
			continue;
		printf("| %s | ", nt_key_group_name((enum nt_key_group)group));
		const char *gap = "";
		for (size_t i = 0; i < nt_key_table_count; i++) {
			if (nt_key_table[i].group != (enum nt_key_group)group)
				continue;
			fputs(gap, stdout);
			put_code(nt_key_table[i].caps);
			printf(" %s", nt_key_table[i].word);
			gap = ", ";
		}
		puts(" |");
	}
}

static void put_habits(void)
{
	puts("\n## Keys of top, htop and less\n\n"
	     "What their users expect happens, or this does it instead; a key that does nothing here says so itself.\n\n"
	     "| key | in | expected | here |\n|---|---|---|---|");
	for (size_t i = 0; i < nt_habit_count; i++) {
		fputs("| ", stdout);
		put_code(nt_habits[i].caps);
		printf(" | %s | %s | %s |\n", nt_habits[i].of, nt_habits[i].expects, nt_habits[i].instead ? nt_habits[i].instead : "yes");
	}
}

int main(void)
{
	puts("# nettop on a page\n\nMade from the program's tables by `make doc/CARD.md`; key `?` shows the same and what each column "
	     "says. The manual: `man nettop`.\n");
	put_marks();
	put_keys();
	put_habits();
	return 0;
}
