import { hashPassword } from '#src/foundation/password.ts';
import { updateApp } from '#src/storage/accounts/apps.ts';
import { insertGroup, insertMembers } from '#src/storage/users/groups.ts';
import { insertAdminToken } from '#src/storage/users/tokens.ts';
import { insertUser } from '#src/storage/users/users.ts';
import { seedApp } from '../../../scripts/dev/seed.ts';
import type { Carillon } from '../../support/carillon.ts';
import { CROWD, carl, nora, type PeopleApp, peopleAdmins, peopleApps, rollGroup, rollIds } from './fixture-users.ts';
import { apps } from './fixtures.ts';

/** Puts everybody of `cast-people.ts` into the databases of a service. */
export async function seedPeopleCast({ truth: { home }, keyring }: Carillon): Promise<void> {
  for (const [name, appId] of Object.entries(peopleApps)) {
    await seedApp(home, keyring, appId);
    await insertAdminToken(home, peopleAdmins[name as PeopleApp], { appId, name: appId, scopes: ['*'] });
  }
  await updateApp(home, peopleApps.open, { registration: true });
  await updateApp(home, peopleApps.german, { registration: true, country: 'DE' });

  for (const { password, ...person } of [nora, carl])
    await insertUser(home, { appId: apps.bells, ...person, passwordHash: await hashPassword(password) });

  for (const id of rollIds) {
    await insertUser(home, { appId: peopleApps.roll, userId: id, name: `person ${id}` });
    await insertGroup(home, peopleApps.roll, id, `group ${id}`);
  }
  await insertMembers(home, peopleApps.roll, rollGroup, rollIds);

  const crowd = Array.from({ length: CROWD }, (_, i) => BigInt(i + 1));
  for (const id of crowd) {
    await insertUser(home, { appId: peopleApps.crowd, userId: id });
    await insertGroup(home, peopleApps.crowd, id, `group ${id}`);
  }
  await insertMembers(home, peopleApps.crowd, 1n, crowd);
}
