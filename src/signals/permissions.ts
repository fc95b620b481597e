import { subjects } from './subjects.ts';

/** The kinds of processes. Each has a separate NATS user. */
export const natsUsers = ['api', 'gateway', 'worker'] as const;
export type NatsUser = (typeof natsUsers)[number];

/** The permissions of a user, in the form of the configuration of NATS. */
interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Permits one reply to each received request. */
  readonly allow_responses?: true;
}

/**
 * Returns the subjects that each process needs, for a subject prefix. `carillon doctor` sends a message to itself with
 * the user of any process.
 */
export function natsPermissions(prefix: string): Readonly<Record<NatsUser, Permissions>> {
  const withPrefix = (...names: readonly string[]) =>
    [...names, subjects.doctor('*')].map((name) => `${prefix}.${name}`);
  return {
    api: {
      publish: withPrefix('wake-up.*', subjects.revocation),
      subscribe: withPrefix(),
    },
    gateway: {
      publish: withPrefix(subjects.takeover('*')),
      subscribe: withPrefix('gateway.*.*', subjects.revocation),
      allow_responses: true,
    },
    worker: {
      publish: withPrefix('wake-up.*', subjects.deliver('*'), subjects.inbox('*'), subjects.recall('*')),
      subscribe: withPrefix('wake-up.*', `${subjects.replies}.>`),
    },
  };
}
