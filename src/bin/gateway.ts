import { setFlagsFromString } from 'node:v8';
import { runRoles } from './role.ts';

// Idle sessions are the many, and what a packet leaves behind is short-lived. The space for it must not grow, nor the
// one behind it to twice of what is alive (docs/decisions/0027-what-an-idle-session-weighs.md).
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=30');

await runRoles(['gateway']);
