import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** An account that may send messages for a project. */
export type ServiceAccount = {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly keyId: string;
  readonly publicKey: KeyObject;
};

/** Credentials as an operator enters them for a real project, with Carillon's field names. */
export type FcmCertificate = {
  readonly app_id: string;
  readonly app_key: string;
  readonly app_secret: string;
  /** The service account file that the Firebase console offers for download. */
  readonly certificate: string;
};

const ACCOUNTS_MAX = 1000;
const RSA_BITS = 2048;

export class ServiceAccounts {
  readonly #byEmail = new Map<string, ServiceAccount>();

  get(clientEmail: string): ServiceAccount | undefined {
    return this.#byEmail.get(clientEmail);
  }

  hasProject(projectId: string): boolean {
    return [...this.#byEmail.values()].some((account) => account.projectId === projectId);
  }

  get isFull(): boolean {
    return this.#byEmail.size >= ACCOUNTS_MAX;
  }

  /** Creates an account for a project and returns its credentials. The private key is not stored. */
  create(projectId: string, tokenUri: string): FcmCertificate {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: RSA_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const suffix = randomBytes(3).toString('hex');
    const clientEmail = `firebase-adminsdk-${suffix}@${projectId}.iam.gserviceaccount.com`;
    const keyId = randomBytes(20).toString('hex');
    this.#byEmail.set(clientEmail, { projectId, clientEmail, keyId, publicKey: createPublicKey(publicKey) });
    const file = {
      type: 'service_account',
      project_id: projectId,
      private_key_id: keyId,
      private_key: privateKey,
      client_email: clientEmail,
      client_id: '100000000000000000001',
      token_uri: tokenUri,
    };
    return { app_id: projectId, app_key: clientEmail, app_secret: '', certificate: JSON.stringify(file, null, 2) };
  }
}
