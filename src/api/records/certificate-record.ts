import type { Static } from 'typebox';
import type { certificateRecord } from '#src/contract/schemas/certificate-record.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import type { Certificate } from '#src/storage/accounts/certificates.ts';

/** Converts credentials to their API record, without secrets. */
export function toCertificateRecord(row: Certificate): Static<typeof certificateRecord> {
  return {
    provider: providerByVendor[row.channel],
    environment: row.environment,
    name: row.name,
    app_id: row.vendorAppId,
    app_key: row.appKey,
    expire: row.expiresAt && BigInt(row.expiresAt.getTime()),
    per_second: row.perSecond === null ? null : BigInt(row.perSecond),
    version: row.version,
    updated_at: BigInt(row.updatedAt.getTime()),
  };
}
