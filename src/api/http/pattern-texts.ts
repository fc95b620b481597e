/** The rules of the patterns in the contract as text, because a caller should not have to read a regular expression. */
const patternTexts: Readonly<Record<string, string>> = {
  '^[^\\u0000\\ud800-\\udfff]*$': 'must not contain the NUL character or unpaired surrogates',
  '^[^\\u0000]*$': 'must not contain the NUL character',
  '^(?=[\\s\\S]*[^\\s\\u0000])[^\\u0000]*$': 'must not be blank or contain the NUL character',
  '^(?! )[^\\u0000-\\u001f\\u007f]*(?<! )$': 'must not contain control characters, or spaces at its start or end',
  '^https://[^\\s]+$': 'must be an https URL without spaces',
  '^\\+?\\d{1,9}$': 'must be a number of at most 9 digits, such as 5, or an increase, such as +5',
  '^\\d{4}-\\d{2}-\\d{2}$': 'must be a day, such as 2026-11-18',
  '^[A-Z]{2}$': 'must be two capital letters',
  '^[A-Za-z0-9][A-Za-z0-9._-]*$':
    'must start with a letter or a digit, and consist of letters, digits, ".", "_" and "-"',
  '^[a-z]+(\\.\\d{1,19})?$': 'must be the value of next in the previous response',
  '^\\d{1,18}\\.[0-9a-f]{64}$': 'must be a value that this operation returned before',
  '^[0-9a-f]{64}$': 'must be 64 hexadecimal digits in lower case',
  '^[\\w.-]+$': 'must consist of letters, digits, ".", "_" and "-"',
};

/** Returns the rule of a pattern as the end of a sentence. */
export const describePattern = (pattern: string): string => patternTexts[pattern] ?? 'has a wrong format';
