import * as oidc from 'openid-client';
import { emailOf } from '#src/domain/login-name.ts';
import { parseRoleMapping, type RoleMapping } from '#src/domain/operators/role-mapping.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import type { OidcProfile } from '#src/storage/operators/oidc-operators.ts';
import type { ApiContext } from '../context.ts';

/** The provider's keys and addresses are read again after this time. */
const DISCOVERY_MS = 60 * 60 * 1_000;
const TIMEOUT_SECONDS = 10;
const LOOPBACK_URL = /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/;

/** The values that connect the response of the provider to the browser that started the sign-in. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** An operator whom the provider has authenticated. */
export interface Identity {
  readonly profile: OidcProfile;
  readonly groups: readonly string[];
}

/** A sign-in that the provider's response does not allow. */
export class SignInRefused extends Error {
  readonly loggedReason: string;

  /** `message` is shown to the operator. The log must not contain personal data. */
  constructor(message: string, loggedReason = message) {
    super(message);
    this.loggedReason = loggedReason;
  }
}

/** Some providers send the claim `email_verified` as a string, and others, such as Microsoft Entra ID, omit it. */
const isVerified = (claim: unknown): boolean => claim === undefined || claim === true || claim === 'true';

/** The OpenID Connect provider of the settings. */
export class OidcProvider {
  readonly roleMapping: RoleMapping;
  readonly #settings: ApiContext['settings'];
  #discovered: { readonly configuration: Promise<oidc.Configuration>; readonly at: number } | undefined;

  constructor(settings: ApiContext['settings']) {
    const mapping = parseRoleMapping(settings.CARILLON_OIDC_ROLE_MAPPING);
    if (typeof mapping === 'string')
      throw new SettingsError([
        `CARILLON_OIDC_ROLE_MAPPING: \`${mapping}\` must have the form \`group=role@app\` or \`group=platform\``,
      ]);
    if (settings.CARILLON_OIDC_CLIENT_ID === '')
      throw new SettingsError(['CARILLON_OIDC_CLIENT_ID is required if CARILLON_OIDC_ISSUER is set']);
    this.roleMapping = mapping;
    this.#settings = settings;
  }

  /** Returns the address at the provider to which the browser is sent, and the values to keep until it returns. */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly attempt: SignInAttempt }> {
    const configuration = await this.#configuration();
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.CARILLON_OIDC_SCOPES,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /** Exchanges the code in the URL to which the browser returned. Throws if the response does not match the attempt. */
  async finish(returnedUrl: URL, { state, nonce, codeVerifier }: SignInAttempt): Promise<Identity> {
    const configuration = await this.#configuration();
    const tokens = await oidc.authorizationCodeGrant(configuration, returnedUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const idClaims = tokens.claims() as oidc.IDToken;
    const groupsClaim = this.#settings.CARILLON_OIDC_GROUPS_CLAIM;
    const isComplete = idClaims[groupsClaim] !== undefined && idClaims.email !== undefined;
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo =
      isComplete || !hasUserInfo ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, idClaims.sub);
    const claims: Readonly<Record<string, unknown>> = { ...userInfo, ...idClaims };
    const email = typeof claims.email === 'string' ? emailOf(claims.email) : undefined;
    if (email === undefined || !isVerified(claims.email_verified))
      throw new SignInRefused('The identity provider returned no verified email address for you.');
    const name = [claims.name, claims.preferred_username].find((text) => typeof text === 'string' && text !== '');
    const profile = { issuer: idClaims.iss, subject: idClaims.sub, email, name: String(name ?? email).slice(0, 128) };
    return { profile, groups: [claims[groupsClaim]].flat().map(String) };
  }

  /** Reads the configuration of the provider. A failed attempt is repeated with the next sign-in. */
  async #configuration(): Promise<oidc.Configuration> {
    if (!this.#discovered || performance.now() - this.#discovered.at > DISCOVERY_MS)
      this.#discovered = { configuration: this.#discover(), at: performance.now() };
    const { configuration } = this.#discovered;
    try {
      return await configuration;
    } catch (error) {
      if (this.#discovered?.configuration === configuration) this.#discovered = undefined;
      throw error;
    }
  }

  #discover(): Promise<oidc.Configuration> {
    const settings = this.#settings;
    const issuer = settings.CARILLON_OIDC_ISSUER;
    const clientSecret = settings.CARILLON_OIDC_CLIENT_SECRET;
    return oidc.discovery(
      new URL(issuer),
      settings.CARILLON_OIDC_CLIENT_ID,
      undefined,
      clientSecret === '' ? oidc.None() : oidc.ClientSecretPost(clientSecret),
      // A provider on the same machine is used for tests.
      { timeout: TIMEOUT_SECONDS, ...(LOOPBACK_URL.test(issuer) && { execute: [oidc.allowInsecureRequests] }) },
    );
  }
}
