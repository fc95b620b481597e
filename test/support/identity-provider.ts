import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** The data of a person at the provider. */
export interface Account {
  readonly email: string;
  readonly name: string;
  readonly groups?: readonly string[];
  /** Some providers send a string. */
  readonly email_verified?: boolean | string;
}

/** A real OpenID Connect provider. Every sign-in succeeds immediately, for the account in `signedInAs`. */
export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: Map<string, Account>;
  signedInAs: string;
  /** Registers the address to which the provider sends browsers back. */
  register(redirectUri: string): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => response.end();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, Account>();
  const stage: IdentityProvider = {
    issuer,
    clientId: 'carillon',
    clientSecret: 'a secret of the client',
    accounts,
    signedInAs: '',
    register: async (redirectUri) => {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true });
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: stage.clientId,
            client_secret: stage.clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
        cookies: { keys: ['a key of the provider'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        // A request can ask for claims in the ID token. Otherwise, they are in the user information.
        features: { devInteractions: { enabled: false }, claimsParameter: { enabled: true } },
        pkce: { required: () => true },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...(accounts.get(id) as unknown as Record<string, string>) }),
        }),
        loadExistingGrant: async ({ oidc: { client, session } }) => {
          const grant = new provider.Grant({
            clientId: client?.clientId as string,
            accountId: session?.accountId as string,
          });
          grant.addOIDCScope('openid email profile');
          grant.addOIDCClaims(['email', 'name']);
          await grant.save();
          return grant;
        },
      });
      const providerHandle = provider.callback();
      handle = async (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return providerHandle(request, response);
        return provider.interactionFinished(request, response, { login: { accountId: stage.signedInAs } });
      };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return stage;
}
