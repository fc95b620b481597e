import { setFlagsFromString } from 'node:v8';
import { runRoles } from './role.ts';

// What an expansion streams through is short-lived. The space for such grows with it to hundreds of megabytes and back
// only after long, although a small one is as quick here (docs/decisions/0021-what-a-worker-need-not-wait-for.md).
setFlagsFromString('--semi-space-growth-factor=1');

await runRoles(['worker']);
