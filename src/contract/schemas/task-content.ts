import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import { NullableText } from './fields.ts';

/** Maximum number of tasks per page with their content. A message can have 20 KB. */
export const CONTENTS_MAX = 20;
/** Maximum number of tags, aliases, user IDs or push tokens of one task. */
export const AUDIENCE_VALUES_MAX = 100;

interface TaskContent {
  message: string | null;
  audience_values: string[];
  audience_count: bigint;
}

export const taskContentField = Type.Unsafe<TaskContent | null>({
  type: 'object',
  nullable: true,
  description: 'Message and audience of the task. Null without `content`.',
  required: ['message', 'audience_values', 'audience_count'],
  properties: {
    message: NullableText(
      '`message` of the request as a JSON string, with the default of each blank field. Null if it was erased with its last recipient.',
    ),
    audience_values: Type.Array(Type.String(), {
      description: `Tags, aliases, user IDs or push tokens of the audience, the first ${AUDIENCE_VALUES_MAX}. Erased users are not contained. Empty for all devices.`,
    }),
    audience_count: Int64({
      description:
        'Number of tags, aliases, user IDs or push tokens of the audience, without those of erased users. 0 for all devices.',
    }),
  },
});
