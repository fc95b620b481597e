import { hashPassword } from '#src/foundation/threads/password.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import { insertGroup, insertMembers } from '#src/storage/users/groups.ts';
import { insertAdminToken } from '#src/storage/users/tokens.ts';
import { insertUser } from '#src/storage/users/users.ts';
import { seedApp } from '../../../scripts/dev/seed.ts';
import type { Carillon } from '../../support/carillon.ts';
import {
  carl,
  listedGroup,
  listedIds,
  nora,
  PAGED_USERS,
  type UserApp,
  userAppAdmins,
  userApps,
} from './fixture-users.ts';
import { apps } from './fixtures.ts';

/** Stores the fixtures of `fixture-users.ts` in the databases of a service. */
export async function seedUserFixtures({ storage: { home }, keyrings }: Carillon): Promise<void> {
  for (const [name, appId] of Object.entries(userApps)) {
    await seedApp(home, keyrings, appId);
    await insertAdminToken(home, userAppAdmins[name as UserApp], { appId, name: appId, scopes: ['*'] });
  }
  await updateApp(home, userApps.open, { registration: true });
  await updateApp(home, userApps.german, { registration: true, country: 'DE' });

  for (const { password, ...user } of [nora, carl])
    await insertUser(home, { appId: apps.bells, ...user, passwordHash: await hashPassword(password) });

  for (const id of listedIds) {
    await insertUser(home, { appId: userApps.roll, userId: id, name: `person ${id}` });
    await insertGroup(home, userApps.roll, id, `group ${id}`);
  }
  await insertMembers(home, userApps.roll, listedGroup, listedIds);

  const crowd = Array.from({ length: PAGED_USERS }, (_, i) => BigInt(i + 1));
  for (const id of crowd) {
    await insertUser(home, { appId: userApps.crowd, userId: id });
    await insertGroup(home, userApps.crowd, id, `group ${id}`);
  }
  await insertMembers(home, userApps.crowd, 1n, crowd);
}
