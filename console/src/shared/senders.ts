/** An operator, or a program with an admin token. */
export interface Sender {
  readonly kind: 'operator' | 'admin';
  readonly id: bigint;
  readonly name: string;
}

/** Returns whether a value of the address names a sender, such as `operator:3` or `admin:4`. */
export const isSender = (value: unknown): value is string =>
  typeof value === 'string' && /^(operator|admin):\d{1,19}$/.test(value);

export function toSender(value: string | undefined): Pick<Sender, 'kind' | 'id'> | undefined {
  if (!isSender(value)) return undefined;
  const [kind, id] = value.split(':') as [Sender['kind'], string];
  return { kind, id: BigInt(id) };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/**
 * Returns the options of a list: the operator who is signed in, the other operators and the admin tokens, each sorted by
 * name. The first name of a sender counts.
 */
export function senderOptions(
  senders: readonly Sender[],
  ownId: bigint,
): { readonly own: string; readonly others: readonly Option[]; readonly programs: readonly Option[] } {
  const own = `operator:${ownId}`;
  const names = new Map<string, string>();
  for (const { kind, id, name } of senders) {
    const value = `${kind}:${id}`;
    if (value !== own && !names.has(value)) names.set(value, name);
  }
  const options = [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label));
  const ofKind = (kind: Sender['kind']) => options.filter(({ value }) => value.startsWith(kind));
  return { own, others: ofKind('operator'), programs: ofKind('admin') };
}
