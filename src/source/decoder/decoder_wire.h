/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What nettop and its decoder (decoder.h) say to each other: packets of one socket. nettop sends a batch of questions; the decoder answers one after another, several
 * answers in a packet, and may ask in between to have a file opened. nettop believes nothing that it gets: what it takes is within bounds, or it is refused.
 */
#ifndef NT_SOURCE_DECODER_WIRE_H
#define NT_SOURCE_DECODER_WIRE_H

#include "decode/unwind/frame_rule.h"
#include "nettop/event.h"
#include "source/image/build_id.h"

enum {
	NT_DECODER_BATCH = 64,        /* questions in a packet, at most */
	NT_DECODER_PATH = 4096,       /* bytes of an image's path, with the NUL */
	NT_DECODER_NAME = 256,        /* bytes of a file's name, with the NUL */
	NT_DECODER_TEXT = 4096,       /* bytes of a name or a reason, with the NUL */
	NT_DECODER_METHODS = 1 << 13, /* precompiled methods in an answer: some tens of milliseconds */
	NT_DECODER_PART = 64 << 10,   /* bytes of a table that go in one packet, at most */
	NT_DECODER_REASON = 160,      /* why a file was not opened */
	NT_DECODER_PACKET = 72 << 10, /* no packet is larger */
};

enum nt_decoder_what { NT_DECODER_QUESTIONS = 1, NT_DECODER_ANSWER, NT_DECODER_OPEN, NT_DECODER_OPENED, NT_DECODER_TABLE };

/* ---- nettop asks ---- */

enum nt_decoder_verb {
	NT_DECODE_NAME, /* what is at `offset` of the image? */
	NT_DECODE_STUB, /* which of the runtime's stubs is at the address `offset`? Of the machine code `bytes`, which begins at the address `base` */
	NT_DECODE_INSTRUCTIONS, /* the machine code `bytes`, which begins at the address `offset`: lines */
	NT_DECODE_SOURCE,       /* the source lines of the image's method that `bytes` names: lines */
	NT_DECODE_IL,           /* the IL of the precompiled code at `offset` of the image: places */
	NT_DECODE_FRAME,        /* the rule of call chains for the code at `offset` of the image: a struct nt_frame_rule as letters */
	/*
	 * The precompiled methods of the assembly that `offset` lies in: lines, whose starts are offsets in the file. From number `base` on, at most NT_DECODER_METHODS; the answer's text is
	 * the next number, without a name: there are no more.
	 */
	NT_DECODE_METHODS,
	NT_DECODE_STATE,    /* whether the image has symbols, and where: letters (image_state.h) */
	NT_DECODE_FUNCTION, /* where the function that `bytes` names begins: the name is its offset in the file, sixteen hexadecimal digits */
	NT_DECODE_EXECUTABLE, /* whether the executable that is handed over has a runtime in it: the name is executable_readers.h's text */
	NT_DECODE_VERB_COUNT
};

struct nt_decoder_question {
	enum nt_decoder_verb verb;
	uint64_t inode, offset, base;
	const char *path;  /* of the image; shorter than NT_DECODER_PATH. This and the next: after taking, borrowed from the packet */
	const void *bytes; /* NUL behind them after taking, which `length` does not count */
	size_t length;
};

/* Its part of a packet, bytes. All of a packet's together are at most NT_DECODER_QUESTIONS_MAX. */
size_t nt_decoder_question_size(const struct nt_decoder_question *question);
enum { NT_DECODER_QUESTIONS_MAX = NT_DECODER_PACKET - 64 };

/* Write a packet into `packet`, NT_DECODER_PACKET bytes; returns its length. At most NT_DECODER_BATCH questions. `more`: another batch follows as soon as this one is answered. */
size_t nt_decoder_put_questions(const struct nt_decoder_question *questions, size_t count, bool more, void *packet);

/* The questions of a packet; returns how many, 0 = it is none. */
size_t nt_decoder_take_questions(const void *packet, size_t length, struct nt_decoder_question questions[NT_DECODER_BATCH], bool *more);

/* ---- the decoder answers ---- */

struct nt_decoder_answer {
	uint32_t what, number; /* of the question within its batch */
	uint64_t start, end;   /* offsets in the file to which it applies */
	uint32_t kind;         /* enum nt_code_kind */
	uint32_t naming;       /* enum nt_naming */
	uint32_t has_name;     /* the text is a name, else a reason; "" = the words of `naming` are enough */
	char text[NT_DECODER_TEXT];
};

/* Bytes of it that are sent: up to the end of its text. */
size_t nt_decoder_answer_length(const struct nt_decoder_answer *answer);

/*
 * The first answer in `length` bytes; returns how many of them it has. 0: that is no answer to question `number`, or not one that a decoder of ours gives. Else *out is whole:
 * its text ends, its numbers are of their kinds and its range has `offset` in it.
 */
size_t nt_decoder_take_answer(const void *packet, size_t length, uint32_t number, uint64_t offset, struct nt_decoder_answer *out);

/* ---- and before its answer, in parts, the tables that belong to it ---- */

enum nt_decoder_column { NT_DECODER_LINES, NT_DECODER_PLACES, NT_DECODER_LETTERS, NT_DECODER_COLUMN_COUNT };

/* `size` bytes follow. */
struct nt_decoder_part {
	uint32_t what, number; /* of the question */
	uint32_t column;       /* enum nt_decoder_column */
	uint32_t size;
};

/* What has come of them: the pieces in their order. */
struct nt_decoder_table {
	struct nt_batch_line *lines; /* owned, as the two below; texts are in `letters` */
	struct nt_batch_place *places;
	char *letters;
	size_t line_count, place_count, letter_count;
	size_t capacities[NT_DECODER_COLUMN_COUNT]; /* internal */
};

/* Append a part. False: it is none of this question, or not one that a decoder of ours sends, or more than an answer of this kind can have. */
bool nt_decoder_take_part(const void *packet, size_t length, uint32_t number, enum nt_decoder_verb verb, struct nt_decoder_table *table);

/* The rule that came as its letters. False: it is none. */
bool nt_decoder_table_rule(const struct nt_decoder_table *table, struct nt_frame_rule *rule);

/*
 * Does all of it lie within bounds: texts among the letters, none longer than this kind of answer has (several may share letters, and each is copied later), kinds of their table, places in the
 * order of their starts? To be asked when the answer is there.
 */
bool nt_decoder_table_holds(const struct nt_decoder_table *table, enum nt_decoder_verb verb);
void nt_decoder_table_empty(struct nt_decoder_table *table);
void nt_decoder_table_fini(struct nt_decoder_table *table);

/* ---- the decoder asks to have a file opened ---- */

enum nt_decoder_file {
	NT_DECODER_IMAGE,  /* the one that is asked about */
	NT_DECODER_BESIDE, /* the assembly `name` in its folder; of NT_DECODE_SOURCE also its PDB */
	NT_DECODER_DEBUG,  /* its debug file: the next candidate from `next` on */
	NT_DECODER_FILE_COUNT
};

struct nt_decoder_open {
	uint32_t what, number; /* of the question that it is for */
	uint32_t file;         /* enum nt_decoder_file */
	uint32_t next;
	uint32_t id_length;
	uint8_t id[NT_BUILD_ID_MAX];
	char name[NT_DECODER_NAME]; /* BESIDE: its name; DEBUG: the .gnu_debuglink, "" = none */
};

/* False: that is no such packet for question `number`. Whether the file may be opened is judged by decoder_broker.h. */
bool nt_decoder_take_open(const void *packet, size_t length, uint32_t number, struct nt_decoder_open *out);

/* ---- nettop's reply, with the descriptor if there is one ---- */

struct nt_decoder_opened {
	uint32_t what;
	uint32_t naming; /* of a refusal: enum nt_naming */
	uint32_t next;   /* DEBUG: the candidate after this one */
	uint64_t size;
	char reason[NT_DECODER_REASON]; /* of a refusal */
};

#endif
