import { seal } from '#src/foundation/sealed-box.ts';
import { certificateContext, saveCertificate } from '#src/storage/accounts/certificates.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { limitsOf } from '#src/vendors/sender.ts';
import type { Carillon } from '../../test/support/carillon.ts';
import { type FilledDevice, fillDevices } from '../fill-devices.ts';
import { createManyPartitions } from '../partitions.ts';
import { type Service, startService } from '../service.ts';
import { type BenchVendor, type Simulators, startSimulators } from './simulators.ts';

export interface VendorService extends Service {
  readonly simulators: Simulators;
}

/**
 * Number of devices of each vendor. The devices of a vendor have consecutive numbers, and each has its vendor's name as
 * a tag.
 */
export type DeviceCounts = Readonly<Partial<Record<BenchVendor, number>>>;

/**
 * Starts a service without workers or gateways. Its app has credentials and devices that are registered with the vendor
 * simulators.
 */
export async function startVendorService(
  resources: AsyncDisposableStack,
  say: (line: string) => void,
  fleet: DeviceCounts,
): Promise<VendorService> {
  const simulators = resources.use(await startSimulators());
  const service = await startService(resources, say, { settings: simulators.settings });
  const { carillon } = service;
  await createManyPartitions(carillon.storage);
  const vendors = Object.entries(fleet).flatMap(([vendor, count]) =>
    Array<BenchVendor>(count).fill(vendor as BenchVendor),
  );
  for (const vendor of new Set(vendors)) await saveVendorCertificate(carillon, simulators, vendor);
  const vendorOf = (n: number) => vendors[n - 1] as BenchVendor;
  await fillDevices(carillon, {
    size: vendors.length,
    say,
    traitsOf: (n) => ({
      vendors: [vendorOf(n)],
      latestDomestic: isDomestic(vendorOf(n)) ? vendorOf(n) : null,
      generation: 1,
      seenDaysAgo: 0,
      gateway: null,
    }),
    gateways: [],
    afterInsert: (db, devices) => insertTags(db, carillon.appId, devices),
  });
  return { ...service, simulators };
}

const isDomestic = (vendor: BenchVendor): boolean => vendor === 'huawei' || vendor === 'honor';

/** Higher than any reachable rate, because a bench measures the sender and not the rate limit of a small app. */
const PER_SECOND = 1_000_000;

async function saveVendorCertificate(
  { storage, keyrings, appId }: Carillon,
  { facts }: Simulators,
  channel: BenchVendor,
) {
  const row = { appId, channel, environment: 1 } as const;
  const { name, app_id, app_key, app_secret, certificate } = facts[channel].certificate;
  await saveCertificate(storage.home, {
    ...{ ...row, name, vendorAppId: app_id, appKey: app_key, expiresAt: null },
    perSecond: limitsOf(channel).perSecond ? PER_SECOND : null,
    appSecret: seal(keyrings.credentials, certificateContext(row, 'app_secret'), app_secret),
    certificate: seal(keyrings.credentials, certificateContext(row, 'certificate'), certificate),
  });
}

async function insertTags(db: ShardDb, appId: string, devices: readonly FilledDevice[]): Promise<void> {
  await db.query(
    `insert into tags (app_id, tag, bucket, device_id)
     select $1, tag, bucket, device_id from unnest($2::text[], $3::smallint[], $4::bigint[]) as g (tag, bucket, device_id)`,
    [
      appId,
      devices.map(({ vendors }) => vendors[0]),
      devices.map(({ bucket }) => bucket),
      devices.map(({ deviceId }) => deviceId),
    ],
  );
}
