import type { Lane } from '#src/domain/task.ts';

/** Every subject there is, behind the installation's own first word. */
export const subjects = {
  /** "This lane has work": one worker of the queue group hears it. */
  wakeUp: (lane: Lane) => `doorbell.${lane}`,
  /** A request to one gateway: write these notifications to your sessions. */
  deliver: (gateway: string) => `gateway.${gateway}.deliver`,
  /** "Something was revoked": every process hears it. */
  revocation: 'revocation',
  /** A request to one gateway: these devices have something in their inbox. */
  inbox: (gateway: string) => `gateway.${gateway}.inbox`,
  /** To one gateway: these devices have connected elsewhere. */
  takeover: (gateway: string) => `gateway.${gateway}.takeover`,
} as const;

export const WORKER_QUEUE_GROUP = 'workers';
