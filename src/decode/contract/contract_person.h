/* SPDX-License-Identifier: GPL-2.0-only */
/* What a managed thread is called, and which exception was thrown in it last. */
#ifndef NT_DECODE_CONTRACT_PERSON_H
#define NT_DECODE_CONTRACT_PERSON_H

#include "decode/contract/contract_fields.h"

enum { NT_CONTRACT_THREAD_NAME_MAX = 256, NT_CONTRACT_MESSAGE_MAX = 4096 }; /* bytes with NUL; longer ones are cut */

/* Texts may have any characters. */
struct nt_contract_person {
	char name[NT_CONTRACT_THREAD_NAME_MAX]; /* Thread.Name; "" = none, or it cannot be read */
	uint64_t thrown; /* the type (a MethodTable) of the exception that a handler works on, or that nobody has handled; 0 = none */
	char message[NT_CONTRACT_MESSAGE_MAX]; /* its Message, where that was given to it; "" = it was not, or cannot be read */
};

/*
 * Of the thread of this Thread. Needs NT_CONTRACT_PERSONS, and for its name NT_CONTRACT_FIELDS and NT_CONTRACT_NAMES of a runtime whose FieldDescs are known (contract_fields.h). The thread does not run meanwhile: objects move.
 */
void nt_contract_person_read(struct nt_contract_modules *modules, uint64_t thread, bool named, struct nt_contract_person *out);

#endif
