interface Entry {
  readonly audit_id: bigint;
  readonly result_of: bigint | null;
  readonly detail: string;
}

/**
 * Returns one row per call. A call that creates an object has a second entry, whose detail also has the ID of the object.
 * If the first entry is on another page, the second one stays.
 */
export function mergeResults<Row extends Entry>(entries: readonly Row[]): readonly Row[] {
  const calls = new Set(entries.map(({ audit_id }) => audit_id));
  const results = new Map(
    entries.flatMap((entry) =>
      entry.result_of !== null && calls.has(entry.result_of) ? [[entry.result_of, entry]] : [],
    ),
  );
  return entries
    .filter(({ result_of }) => result_of === null || !calls.has(result_of))
    .map((entry) => ({ ...entry, detail: results.get(entry.audit_id)?.detail ?? entry.detail }));
}
