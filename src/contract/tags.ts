import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

/** Groups of operations, in the order of the reference. The key is the start of the paths. */
const tags: Readonly<Record<string, string>> = {
  token: 'Login and logout.',
  user: 'Self-registration of users.',
  push: 'Send notifications and query their results.',
  device: 'Vendor tokens, tags, aliases, badges and receipts of devices.',
  'admin app': 'The app and its settings.',
  'admin token': 'Admin tokens.',
  'admin user': 'Users and their logins.',
  'admin group': 'Groups and their members.',
  'admin certificate': 'Credentials for vendors.',
  'admin channel': 'Status of vendor channels.',
  'admin device': 'Search and deletion of devices, and their notifications.',
  'admin task': 'Quarantined tasks.',
  'admin audit': 'Audit entries.',
  'admin lookup': 'Search by any ID.',
  'admin ledger': 'Invariants of the ledger.',
  operator: 'Operators of the console, their roles and their sessions.',
};

/** Returns the tag of an operation: `push` for `/push/notify`, `admin app` for `/admin/app/get`. */
export function tagOf({ path }: Operation): string {
  const [, first, second] = path.split('/');
  return first === 'admin' ? `admin ${second}` : (first as string);
}

/** Every tag with its operations. */
export const taggedOperations = Object.entries(tags).map(([tag, description]) => ({
  tag,
  description,
  operations: operations.filter((operation) => tagOf(operation) === tag),
}));
