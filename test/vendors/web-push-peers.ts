import { createECDH, type ECDH } from 'node:crypto';
import { createRequire } from 'node:module';

/** Two published implementations of Web Push, which share no code with Carillon. They have no type definitions. */
const require = createRequire(import.meta.url);

interface HttpEce {
  encrypt(plain: Buffer, parameters: EceParameters): Buffer;
  decrypt(body: Buffer, parameters: EceParameters): Buffer;
}

interface EceParameters {
  readonly version: 'aes128gcm';
  readonly privateKey: ECDH;
  readonly authSecret: string;
  /** The other side's public key, in base64url. */
  readonly dh?: string;
}

interface WebPushLibrary {
  generateRequestDetails(
    subscription: object,
    payload: string,
    options: object,
  ): { readonly endpoint: string; readonly headers: Record<string, string | number>; readonly body: Buffer };
  generateVAPIDKeys(): { readonly publicKey: string; readonly privateKey: string };
}

export const httpEce = require('http_ece') as HttpEce;
export const webPushLibrary = require('web-push') as WebPushLibrary;

/** A browser with one subscription, which decrypts with `http_ece`. */
export class TestBrowser {
  readonly keys: ECDH = createECDH('prime256v1');
  readonly auth: Buffer;
  readonly endpoint: string;

  constructor(endpoint = 'https://fcm.googleapis.com/fcm/send/abc', auth = Buffer.alloc(16, 7)) {
    this.keys.generateKeys();
    this.endpoint = endpoint;
    this.auth = auth;
  }

  get subscription() {
    const keys = { p256dh: this.keys.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
    return { endpoint: this.endpoint, keys };
  }

  decrypt(body: Buffer): string {
    const authSecret = this.auth.toString('base64url');
    return httpEce.decrypt(body, { version: 'aes128gcm', privateKey: this.keys, authSecret }).toString();
  }
}
