import { runRoles } from './role.ts';

/** Runs all roles in one process, for laptops and small hosts. */
await runRoles(['api', 'gateway', 'worker']);
