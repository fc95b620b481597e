import type { Operation } from '#src/contract/operation.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { type AuditEntry, insertAuditEntry, NO_TOKEN_ID } from '#src/storage/users/audit.ts';
import type { TokenRow } from '#src/storage/users/tokens.ts';
import type { ApiContext, ApiRequest } from '../context.ts';

/**
 * Writes the audit entry before the operation runs, so that no operation runs without an entry. Calls by admin tokens
 * and operators are recorded. Returns a function that writes a second entry with the ID of a created object, because the
 * ID is known only afterwards and entries are never changed.
 */
export async function recordAudit(
  { storage }: Pick<ApiContext, 'storage'>,
  operation: Operation,
  { token, body, query, address }: Pick<ApiRequest, 'token' | 'body' | 'query' | 'address'>,
): Promise<((data: unknown) => Promise<void>) | undefined> {
  if (operation.access === 'open' || token.kind === 'user') return undefined;
  const audit = operation.audit ?? (token.kind === 'operator' && !operation.reads ? [] : undefined);
  if (!audit) return undefined;
  const requestFields: Readonly<Record<string, unknown>> = {
    ...(query as object | undefined),
    ...(body as object | undefined),
  };
  const fields = Object.fromEntries([
    ...audit.map((field) => [field, requestFields[field]]),
    ...(operation.auditSecrets ?? [])
      .filter((field) => requestFields[field] !== undefined)
      .map((field) => [`${field}_changed`, true]),
  ]);
  const entry: AuditEntry = {
    ...authorOfEntry(token),
    operation: operation.path,
    detail: stringifyJson(fields),
    address,
    resultOf: null,
  };
  const auditId = await insertAuditEntry(storage.home, entry);
  const { auditResultField } = operation;
  if (auditResultField === undefined) return undefined;
  return async (data) => {
    const createdId = (data as Readonly<Record<string, unknown>>)[auditResultField];
    const detail = stringifyJson({ ...fields, [auditResultField]: createdId });
    if (detail !== entry.detail) await insertAuditEntry(storage.home, { ...entry, detail, resultOf: auditId });
  };
}

/** The chain covers the email address and the ID, so that a changed operator is detected. */
function authorOfEntry(
  token: Exclude<TokenRow, { kind: 'user' }>,
): Pick<AuditEntry, 'appId' | 'tokenId' | 'tokenName' | 'operatorId'> {
  return token.kind === 'operator'
    ? { appId: token.appId, tokenId: NO_TOKEN_ID, tokenName: token.email, operatorId: token.operatorId }
    : { appId: token.appId, tokenId: token.tokenId, tokenName: token.name, operatorId: null };
}
