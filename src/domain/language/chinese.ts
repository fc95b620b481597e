/**
 * Template tag for Chinese texts. It separates values from the Chinese text by a space where one of them has a Latin
 * letter or a digit, as Chinese typography requires: `OPPO 已接受`, but `华为已接受`.
 */
export function chinese(parts: TemplateStringsArray, ...values: readonly (string | number | bigint)[]): string {
  return parts.reduce((text, part, i) => joinParts(joinParts(text, String(values[i - 1])), part));
}

function joinParts(left: string, right: string): string {
  const needsSpace =
    (/\p{Script=Han}$/u.test(left) && /^[\w`/]/.test(right)) || (/[\w`]$/.test(left) && /^\p{Script=Han}/u.test(right));
  return needsSpace ? `${left} ${right}` : left + right;
}
