import { type OperatorRole, operatorRoles } from './operator-role.ts';

/** The right that a group of the identity provider grants. */
interface GroupGrant {
  readonly group: string;
  readonly grant: 'platform' | { readonly appId: string; readonly role: OperatorRole };
}
export type RoleMapping = readonly GroupGrant[];

/** The rights of an operator, as their groups grant them. */
export interface GrantedRoles {
  readonly isPlatform: boolean;
  readonly roles: ReadonlyMap<string, OperatorRole>;
}

/** Parses `group=role@app` and `group=platform`, separated by commas. Returns the first wrong entry as a string. */
export function parseRoleMapping(text: string): RoleMapping | string {
  const mapping: GroupGrant[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const at = entry.lastIndexOf('=');
    const [group, right] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    const [role, appId] = right.split('@');
    if (at < 1 || group === '') return entry;
    if (right === 'platform') mapping.push({ group, grant: 'platform' });
    else if (appId && isRole(role)) mapping.push({ group, grant: { appId, role } });
    else return entry;
  }
  return mapping;
}

const isRole = (text: string | undefined): text is OperatorRole => operatorRoles.includes(text as OperatorRole);

/** Returns the rights of an operator with these groups, or undefined if no group grants any. The highest role counts. */
export function rolesOfGroups(mapping: RoleMapping, groups: readonly string[]): GrantedRoles | undefined {
  const grants = mapping.filter(({ group }) => groups.includes(group)).map(({ grant }) => grant);
  if (grants.length === 0) return undefined;
  const roles = new Map<string, OperatorRole>();
  for (const grant of grants) {
    if (grant === 'platform') continue;
    const known = roles.get(grant.appId);
    if (!known || operatorRoles.indexOf(grant.role) > operatorRoles.indexOf(known)) roles.set(grant.appId, grant.role);
  }
  return { isPlatform: grants.includes('platform'), roles };
}
