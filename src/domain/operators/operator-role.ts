/** Roles of an operator in an app. Each role includes the ones before it. */
export const operatorRoles = ['viewer', 'sender', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The scopes of each role. A viewer has none, and can only call operations that read data. */
const scopesByRole: Readonly<Record<OperatorRole, readonly string[]>> = {
  viewer: [],
  sender: ['push'],
  admin: ['*'],
};

/** Returns the scopes of an operator in an app. A platform operator is an admin of every app. */
export const scopesOfOperator = (isPlatform: boolean, role: OperatorRole): readonly string[] =>
  isPlatform ? [...scopesByRole.admin, 'platform'] : scopesByRole[role];
