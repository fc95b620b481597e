import { stringifyJson } from '#src/foundation/json.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { insertAuditEntry, NO_TOKEN_ID } from '#src/storage/users/audit.ts';

/**
 * Records a command that changes who has access, before it changes anything, like the calls of the API. The entry does
 * not contain who ran the command, because the installation cannot know.
 */
export async function auditCommand(
  home: HomeDb,
  operation: 'init' | 'operator-password',
  { appId, ...detail }: Readonly<Record<string, unknown>> & { readonly appId: string | null },
): Promise<void> {
  await insertAuditEntry(home, {
    appId,
    tokenId: NO_TOKEN_ID,
    tokenName: 'command on the server',
    operatorId: null,
    operation,
    detail: stringifyJson(detail),
    address: '',
    resultOf: null,
  });
}
