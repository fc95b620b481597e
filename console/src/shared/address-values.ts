import { useState } from 'react';

/**
 * The values of a search form, which starts with those in the address. If the address changes, its values replace them.
 * A `key` would do the same, but also create the fields again, so that the field in use loses the focus.
 */
export function useAddressValues<Values>(inAddress: Values): [Values, (values: Values) => void] {
  const address = JSON.stringify(inAddress);
  const [edited, setEdited] = useState({ address, values: inAddress });
  if (edited.address !== address) setEdited({ address, values: inAddress });
  return [edited.values, (values) => setEdited({ address, values })];
}
