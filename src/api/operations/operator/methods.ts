import { operatorMethods } from '#src/contract/operator/methods.ts';
import type { Route } from '../../context.ts';

export const operatorMethodsRoute: Route<typeof operatorMethods> = {
  operation: operatorMethods,
  handle: async ({ settings }) => ({
    password: true,
    oidc: settings.CARILLON_OIDC_ISSUER === '' ? null : { name: settings.CARILLON_OIDC_NAME },
  }),
};
