import { setFlagsFromString } from 'node:v8';
import { runRoles } from './role.ts';

// An expansion streams short-lived objects. The young generation would grow to hundreds of megabytes and shrink only
// after a long time, although a small one is equally fast here
// (docs/decisions/0021-fewer-waits-in-the-worker.md).
setFlagsFromString('--semi-space-growth-factor=1');

await runRoles(['worker']);
