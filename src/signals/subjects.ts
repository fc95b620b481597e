import type { Lane } from '#src/domain/task.ts';

/** All NATS subjects, without the configured prefix. */
export const subjects = {
  /** Signal that a lane has work. One worker of the queue group receives it. */
  wakeUp: (lane: Lane) => `wake-up.${lane}`,
  /** Request to one gateway to write notifications to its sessions. */
  deliver: (gateway: string) => `gateway.${gateway}.deliver`,
  /** Signal that tokens were revoked or an app was disabled. Every process receives it. */
  revocation: 'revocation',
  /** Request to one gateway to read the inboxes of devices. */
  inbox: (gateway: string) => `gateway.${gateway}.inbox`,
  /** Request to one gateway to recall a notification from its sessions. */
  recall: (gateway: string) => `gateway.${gateway}.recall`,
  /** Signal to one gateway that devices have connected to another gateway. */
  takeover: (gateway: string) => `gateway.${gateway}.takeover`,
  /** Prefix of the subjects on which a process receives the replies to its requests. */
  replies: 'reply',
  /** Message of `carillon doctor` to itself. */
  doctor: (id: string) => `doctor.${id}`,
} as const;

export const WORKER_QUEUE_GROUP = 'workers';
