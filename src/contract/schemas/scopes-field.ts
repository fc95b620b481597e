import { Type } from 'typebox';
import { scopes } from '#src/domain/caller.ts';

/** Permissions of an admin token. */
export const scopesField = Type.Array(Type.Union(['*' as const, ...scopes].map((scope) => Type.Literal(scope))), {
  minItems: 1,
  maxItems: scopes.length + 1,
  description: `Scopes of the token: ${scopes.map((scope) => `\`${scope}\``).join(', ')}. \`*\` stands for all scopes except \`platform\`.`,
});
