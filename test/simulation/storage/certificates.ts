import type * as real from '#src/storage/accounts/certificates.ts';
import { read } from './database.ts';
import { homeRows } from './rows.ts';

const NOTHING = Buffer.alloc(0);

export const certificateContext: typeof real.certificateContext = () => '';

export const findCertificates: typeof real.findCertificates = (db, appId) =>
  read(db, 'findCertificates', () =>
    [...homeRows(db).certificates.values()]
      .filter((row) => row.appId === appId)
      .map((row) => ({
        ...row,
        name: '',
        vendorAppId: '',
        appKey: '',
        appSecret: NOTHING,
        certificate: NOTHING,
        expiresAt: null,
        perSecond: null,
        updatedAt: new Date(0),
      })),
  );
