import { runRoles } from './role.ts';

await runRoles(['gateway']);
