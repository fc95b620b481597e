import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { VendorName } from '#src/domain/channel.ts';
import type { VendorCertificate } from '../../../../scripts/dev/simulator-process.ts';
import type { VendorSimulators } from '../../../support/vendor-simulators.ts';

/** Credentials of an app at a simulator, whose secrets are recognizable. */
export interface PlantedCredentials {
  readonly certificate: VendorCertificate;
  readonly secrets: readonly string[];
}

const canary = (name: string) => `cAnArY${randomBytes(8).toString('hex')}+${name}&x=1`;
const digits = () => `1${randomBytes(5).readUIntBE(0, 5)}`;
const appleId = () => `CN${randomBytes(4).toString('hex').toUpperCase()}`;

/** Adds an app with new secrets to the simulator of a vendor. */
export async function plantCredentials(vendors: VendorSimulators, vendor: VendorName): Promise<PlantedCredentials> {
  const demo = vendors.factsOf(vendor).certificate;
  const add = (app: object) => vendors.post(vendor, '/apps', app);
  const [appId, appKey, appSecret] = [digits(), canary('key'), canary('secret')];
  const planted = { ...demo, app_id: appId, app_key: appKey, app_secret: appSecret };
  switch (vendor) {
    case 'apns': {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const [keyId, teamId] = [appleId(), appleId()];
      await vendors.post('apns', '/keys', {
        key_id: keyId,
        team_id: teamId,
        public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }),
        topics: [demo.app_id],
        environments: ['production', 'sandbox'],
      });
      const p8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const certificate = { ...demo, app_key: keyId, app_secret: teamId, certificate: p8 };
      return { certificate, secrets: [keyId, teamId, bodyOf(p8)] };
    }
    case 'fcm': {
      const project = `canary-${randomBytes(8).toString('hex')}`;
      const certificate = (await vendors.post('fcm', '/accounts', { project_id: project })) as VendorCertificate;
      const account = JSON.parse(certificate.certificate) as Record<string, string>;
      const { private_key = '', private_key_id = '', client_email = '' } = account;
      return { certificate, secrets: [project, bodyOf(private_key), private_key_id, client_email].filter(Boolean) };
    }
    case 'huawei':
      await add({ app_id: appId, project_id: digits(), app_secret: appSecret });
      return { certificate: { ...planted, app_key: '' }, secrets: [appSecret] };
    case 'honor':
      await add({ app_id: appId, client_id: appKey, client_secret: appSecret });
      return { certificate: planted, secrets: [appKey, appSecret] };
    case 'oppo': {
      const clientSecret = canary('client');
      await add({ app_id: appId, app_key: appKey, master_secret: appSecret });
      const certificate = { ...planted, certificate: JSON.stringify({ app_secret: clientSecret }) };
      return { certificate, secrets: [appKey, appSecret, clientSecret] };
    }
    case 'vivo':
      await add({ app_id: appId, app_key: appKey, app_secret: appSecret });
      // vivo's console assigns a number to the URL for receipts.
      return { certificate: { ...planted, certificate: '{"callback_id":"1"}' }, secrets: [appKey, appSecret] };
    default: {
      const packages = JSON.parse(demo.certificate || '{}') as { package_names?: string[] };
      await add({ app_id: appId, app_key: appKey, app_secret: appSecret, ...packages });
      return { certificate: planted, secrets: [appKey, appSecret] };
    }
  }
}

/** Returns the secret part of a PEM file. The first characters are the same for all keys of a kind. */
const bodyOf = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '').slice(48);

const PART_CHARACTERS = 10;

/** Returns the parts of secrets that a text contains, also in hex, base64 and URL encoding. */
export function findParts(text: string, secrets: readonly string[]): string[] {
  const parts = new Set(secrets.flatMap(formsOf).flatMap(partsOf));
  return partsOf(text.toLowerCase()).filter((part) => parts.has(part));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Base64 of a longer text, in which the secret has any position.
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const inner = text.replace(/=+$/, '').slice(offset === 0 ? 0 : offset + 1);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, bytes.toString('hex'), encodeURIComponent(secret), ...base64].map((form) => form.toLowerCase());
}

function partsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PART_CHARACTERS + 1) }, (_, i) =>
    text.slice(i, i + PART_CHARACTERS),
  );
}
