import { deviceTag, TAGS_MAX } from '#src/contract/device/tag.ts';
import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import { changeTags } from '#src/storage/devices/tags.ts';
import type { Route } from '../../context.ts';
import { loggedOutProblem, resolveDevice } from '../../http/resolve-device.ts';

export const deviceTagRoute: Route<typeof deviceTag> = {
  operation: deviceTag,
  handle: async ({ storage }, { caller, body }) => {
    const { add = [], remove = [], clear = false, push_token: pushToken } = body;
    if ([...add, ...remove].some(isBlank)) throw new Problem('bad-parameter', 'A tag must not be blank.');
    const device = await resolveDevice(storage, caller, pushToken);
    const tags = await changeTags(storage.shards.dbFor(device.bucket), device, {
      add,
      remove,
      clear,
      tagsMax: TAGS_MAX,
    });
    if (tags === undefined) throw loggedOutProblem();
    if (tags === 'too-many') throw new Problem('list-too-long', `A device has at most ${TAGS_MAX} tags.`);
    return { tags };
  },
};
