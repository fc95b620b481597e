import { runRoles } from './role.ts';

/** Everything in one process, for laptops and small hosts. */
await runRoles(['api', 'gateway', 'worker']);
