import { setFlagsFromString } from 'node:v8';
import { runRoles } from './role.ts';

// Most sessions are idle, and handling a packet creates only short-lived objects. The young generation must stay small,
// and the old generation must not grow to twice the live data (docs/decisions/0027-idle-session-memory.md).
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=30');

await runRoles(['gateway']);
