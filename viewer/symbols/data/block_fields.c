// SPDX-License-Identifier: GPL-2.0
#include "symbols/data/block_fields.h"

#include "symbols/names/code_place.h"

bool block_field_find(struct known_files *files, const struct model *model, size_t row,
		      uint64_t offset, struct data_field *field)
{
	const struct data_object_table *blocks = &model->data_objects;
	struct code_place call;
	struct object *object;
	uint32_t at;

	if (!code_place_parse(trace_string(model->trace, blocks->recorded[row]), &call) ||
	    call.is_data)
		return false;
	at = known_files_find_told(files,
				   &(struct told_file){ call.path, call.path_bytes, call.build_id,
							call.build_id_bytes });
	object = files->files[at].object;
	return object &&
	       object_block_field(object, call.address, blocks->bytes[row], offset, field);
}
