import type { Static } from 'typebox';
import { AUDIENCE_VALUES_MAX, type taskContentField } from '#src/contract/schemas/task-content.ts';
import type { Audience } from '#src/domain/task.ts';
import { parseTaskContent } from '#src/domain/task-content.ts';

/** Returns the stored message and the first values of the stored audience. */
export function toTaskContent(audienceText: string, messageText: string): Static<typeof taskContentField> {
  const { audience, defect } = parseTaskContent(audienceText, messageText);
  const values = valuesOf(audience);
  // A request cannot have an empty list. The list becomes empty when its last user is erased, and the message with it.
  const isErased = audience.kind !== 'all' && values.length === 0 && defect === undefined;
  return {
    message: isErased ? null : messageText,
    audience_values: values.slice(0, AUDIENCE_VALUES_MAX).map(String),
    audience_count: BigInt(values.length),
  };
}

function valuesOf(audience: Audience): readonly (string | bigint)[] {
  switch (audience.kind) {
    case 'all':
      return [];
    case 'tag':
    case 'alias':
      return audience.names;
    case 'user_id':
      return audience.userIds;
    case 'push_token':
      return audience.pushTokens;
  }
}
