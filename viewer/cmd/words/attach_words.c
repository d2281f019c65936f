// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/attach_words.h"

#include <stdlib.h>
#include <string.h>

#include "cli/value.h"
#include "util/diag.h"
#include "util/xalloc.h"

static int add_word(struct attach_choice *choice, const struct cli_value *word)
{
	for (int i = 0; i < ATTACH_CONVENTIONS; i++) {
		if (!strcmp(word->text, attach_convention_names[i])) {
			choice->conventions[i] = true;
			return EXIT_OK;
		}
	}
	return cli_value_unknown(word, attach_convention_names, "no such convention");
}

int attach_words_set_request(void *field, const struct cli_value *value)
{
	struct attach_request *request = field;
	const char *rest = value->text;
	int status = EXIT_OK;

	request->is_made = true;
	while (rest && !status) {
		size_t length = strcspn(rest, ",");
		char *word = xstrndup(rest, length);
		const struct cli_value one = { value->command, value->option, word };

		request->choice.is_made = true;
		status = add_word(&request->choice, &one);
		free(word);
		rest = rest[length] ? rest + length + 1 : NULL;
	}
	return status;
}

void attach_words_offer(FILE *out)
{
	for (int i = 0; i < ATTACH_CONVENTIONS; i++)
		fprintf(out, "%s\n", attach_convention_names[i]);
}
