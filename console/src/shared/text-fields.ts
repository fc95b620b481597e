import { useState } from 'react';

/** The values of the text fields of a form, the properties of each field, and a function that restores the first values. */
export function useTextFields<Name extends string>(start: Readonly<Record<Name, string>>) {
  const [values, setValues] = useState(start);
  const field = (name: Name) => ({
    value: values[name],
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setValues((current) => ({ ...current, [name]: value })),
  });
  return { values, field, reset: () => setValues(start) };
}
