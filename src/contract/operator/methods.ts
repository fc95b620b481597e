import { Type } from 'typebox';
import type { Operation } from '../operation.ts';

export const operatorMethods = {
  method: 'POST',
  path: '/operator/methods',
  summary: 'Show how operators can sign in',
  description: 'Returns the ways in which operators can sign in to the console. Requires no header.',
  access: 'open',
  appless: true,
  reads: true,

  data: Type.Object({
    password: Type.Boolean({ description: 'Whether operators can sign in with a password. Always true.' }),
    oidc: Type.Unsafe<{ name: string } | null>({
      type: 'object',
      nullable: true,
      description: 'Sign-in with OpenID Connect, which starts at `/operator/oidc/login`. Null if it is not set up.',
      required: ['name'],
      properties: { name: Type.String({ description: 'Name of the identity provider.' }) },
    }),
  }),
  problems: [],
  examples: [{ name: 'without OpenID Connect', data: { password: true, oidc: null } }],
} as const satisfies Operation;
