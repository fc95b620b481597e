import { isId } from '../../shared/ids.ts';

export const draftStates = ['open', 'approved', 'rejected'] as const;
export type DraftState = (typeof draftStates)[number];

/** The state of the listed drafts and the position in the list, as the address contains them. */
export interface DraftSearch {
  /** Open drafts if it is missing. */
  state?: Exclude<DraftState, 'open'>;
  after?: string;
}

/** Returns the valid parts of an address. */
export const toDraftSearch = ({ state, after }: Readonly<Record<string, unknown>>): DraftSearch => ({
  ...((state === 'approved' || state === 'rejected') && { state }),
  ...(isId(after) && { after }),
});
