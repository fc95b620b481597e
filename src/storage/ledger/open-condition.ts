/** The condition that makes a row open, by table. The indexes of due work have the same conditions. */
export const OPEN_CONDITION = {
  tasks: `state = 'accepted'`,
  slices: `state <> 'closed'`,
  expansions: `state <> 'done'`,
} as const;

/** A table whose rows become due. */
export type DueTable = keyof typeof OPEN_CONDITION;
