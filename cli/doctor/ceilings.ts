import { type Carillon, CarillonError, CarillonUnreachable, type Responses } from '../../sdk/src/index.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/** Part of a ceiling at which the operator should act. */
const NEAR = 0.9;
const ADVICE =
  'Ask the operator of the installation for a higher ceiling (`carillon app ceilings --help`), or use less. See docs/operate/ceilings.md.';

/** Compares the usage of the app with its ceilings. */
export async function* checkCeilings(client: Carillon): AsyncGenerator<Finding> {
  let app: Partial<Responses['/admin/app/get']>;
  try {
    app = await client.admin.app.get();
  } catch (error) {
    // The check of the vendor channels has already reported that the token has no access.
    if (error instanceof CarillonError || error instanceof CarillonUnreachable) return;
    throw error;
  }
  const { ceilings, usage } = app;
  if (!ceilings || !usage) return; // an older version of the service
  let isNear = false;
  for (const [name, used] of Object.entries(usage)) {
    const ceiling = Number(ceilings[name as keyof typeof usage]);
    if (ceiling === 0 || Number(used) < NEAR * ceiling) continue;
    isNear = true;
    const text = `The app uses ${used} of its ceiling ${name}, which is ${ceiling}.`;
    yield Number(used) >= ceiling ? wrong('ceilings', text, ADVICE) : warning('ceilings', text, ADVICE);
  }
  if (!isNear) yield ok('ceilings', 'The app uses less than 90 % of each ceiling.');
}
