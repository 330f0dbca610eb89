import { createHash } from 'node:crypto';
import type { Claims } from '@sinebar/access-control';
import type { Logger } from '@sinebar/runtime';
import { ServiceError } from '@sinebar/contracts';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import type { OidcProvider } from './oidc-provider.ts';

export interface BearerAuthenticationOptions {
  provider: OidcProvider;
  audiences: readonly string[];
  clockSkewMs: number;
  nameClaim: string;
  log: Logger;
  now?: () => Date;
}

export interface BearerSignIn {
  name: string;
  claims: Claims;
  expiresAt: Date;
}

/** Asymmetric signatures only: without `none` and those with a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** Access tokens and ID tokens; the provider signs other tokens (logout, proofs) that are no credentials. */
const TYPES = /^(?:application\/)?(?:at\+)?jwt$/i;
/** Time for which a verified token is not checked again: a signature takes as long as a small request. */
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** A refused token; the message is for the client. */
export class InvalidToken extends Error {}

/** Authenticates by bearer tokens of an OpenID Connect provider (RFC 6750, RFC 7519). spec: decisions.md 8.1 */
export class BearerAuthentication {
  private readonly options: Required<BearerAuthenticationOptions>;
  private readonly checked = new LRUCache<string, BearerSignIn & { untilMs: number }>({ max: MAX_REMEMBERED });

  constructor(options: BearerAuthenticationOptions) {
    this.options = { now: () => new Date(), ...options };
  }

  /** @throws InvalidToken; ServiceError 503 while the provider does not answer */
  async signIn(token: string, address: string): Promise<BearerSignIn> {
    const nowMs = this.options.now().getTime();
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.checked.get(key);
    if (known && nowMs < known.untilMs) return known;
    const signIn = await this.check(token, address);
    const untilMs = Math.min(nowMs + REMEMBER_MS, signIn.expiresAt.getTime());
    this.checked.set(key, { ...signIn, untilMs });
    return signIn;
  }

  hasEnded(expiresAt: Date): boolean {
    return this.options.now().getTime() >= expiresAt.getTime() + this.options.clockSkewMs;
  }

  private async check(token: string, address: string): Promise<BearerSignIn> {
    const { provider, audiences, clockSkewMs, nameClaim, now, log } = this.options;
    try {
      const { issuer, keyOf } = await provider.verification();
      const { payload, protectedHeader } = await verified(token, keyOf, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        clockTolerance: clockSkewMs / 1000,
        currentDate: now(),
        requiredClaims: ['exp'],
      });
      if (protectedHeader.typ !== undefined && !TYPES.test(protectedHeader.typ))
        throw new InvalidToken('This kind of token is not accepted. Send an access token or an ID token.');
      return { name: nameOf(payload, nameClaim), claims: payload, expiresAt: new Date((payload.exp as number) * 1000) };
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const sentence = sentenceFor(error);
      // The error contains the claims and is not logged.
      log.info({ address, reason: error instanceof errors.JOSEError ? error.code : undefined }, `a token was refused: ${sentence}`);
      throw new InvalidToken(sentence);
    }
  }
}

/** Verifies a token; tries several keys when it does not name its own. */
async function verified(token: string, keyOf: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keyOf, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (other) {
        if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function nameOf(payload: JWTPayload, nameClaim: string): string {
  const names = [payload[nameClaim], payload.sub, payload['client_id'], payload['azp']];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? '(no name)';
}

/** Returns the reason of a refusal without content of the token. */
function sentenceFor(error: unknown): string {
  if (error instanceof InvalidToken) return error.message;
  if (error instanceof errors.JWTExpired) return 'The token has expired. Sign in again.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return 'The token is not valid yet. Compare the clocks of the provider and this server.';
    if (error.claim === 'aud') return 'The token was made for somebody else: its audience is another one.';
    if (error.claim === 'iss') return 'The token comes from another issuer.';
    return 'A claim of the token is missing or has a wrong type.';
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token was signed with a key that the provider does not offer.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'Tokens signed in this way are not accepted.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the token is wrong.';
  return 'This is no token of the provider.';
}
