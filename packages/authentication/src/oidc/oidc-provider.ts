import { errorCode } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type { Logger } from '@sinebar/runtime';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import { z } from 'zod';

export interface OidcProviderOptions {
  issuer: string;
  log: Logger;
  /** Age in milliseconds at which the keys and the provider's description are fetched again. */
  maxAgeMs?: number;
  /**
   * Interval in milliseconds between fetches for unknown keys, so that tokens with invented keys do not become requests to the provider.
   */
  cooldownMs?: number;
  /** Time in milliseconds for which a provider that did not answer is not asked again. */
  pauseMs?: number;
}

interface Description {
  issuer: string;
  tokenEndpoint: string | undefined;
  keys: RemoteJWKSet;
  readAtMs: number;
}

const descriptionSchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }).optional(),
});
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_S = 5;

/** The OpenID Connect provider: discovery of its keys and their rotation. */
export class OidcProvider {
  private readonly options: Required<OidcProviderOptions>;
  private description: Description | undefined;
  private reading: Promise<Description> | undefined;
  private failure: { reason: string; atMs: number } | undefined;

  constructor(options: OidcProviderOptions) {
    this.options = { maxAgeMs: 600_000, cooldownMs: 10_000, pauseMs: 2_000, ...options };
  }

  /** Reason of the last failed request, if it failed. */
  get problem(): string | undefined {
    return this.failure?.reason;
  }

  /**
   * Returns the required issuer of tokens, and a function that finds their signing key.
   * @throws ServiceError 503 while the provider does not answer
   */
  async verification(): Promise<{ issuer: string; keyOf: JWTVerifyGetKey }> {
    const { issuer, keys } = await this.describe();
    return {
      issuer,
      keyOf: async (header: JWTHeaderParameters, token: FlattenedJWSInput) => {
        try {
          return await keys(header, token);
        } catch (error) {
          if (isAboutTheToken(error)) throw error;
          throw this.unavailable(error);
        }
      },
    };
  }

  /** Returns the origins that pages ask for its description and for tokens; only that of the issuer while the provider does not answer. */
  async origins(): Promise<string[]> {
    const tokens = await this.describe().then(
      ({ tokenEndpoint }) => tokenEndpoint,
      () => undefined,
    );
    const addresses = [this.options.issuer, ...(tokens === undefined ? [] : [tokens])];
    return [...new Set(addresses.map((address) => new URL(address).origin))];
  }

  private async describe(): Promise<Description> {
    const known = this.description;
    if (known && performance.now() - known.readAtMs < this.options.maxAgeMs) return known;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    try {
      return await this.reading;
    } catch (error) {
      // The address of the keys hardly ever changes; the next step reports whether the keys are available.
      if (known) return known;
      throw this.unavailable(error);
    }
  }

  private async read(): Promise<Description> {
    const { issuer, cooldownMs, maxAgeMs } = this.options;
    const base = issuer.replace(/\/+$/, '');
    const response = await this.fetch(`${base}/.well-known/openid-configuration`, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) throw new Error(`its description answers ${response.status}`);
    const parsed = descriptionSchema.safeParse(await response.json());
    if (!parsed.success) throw new Error('its description names no issuer and jwks_uri');
    if (parsed.data.issuer.replace(/\/+$/, '') !== base) throw new Error('its description names another issuer than SINEBAR_OIDC_ISSUER');
    const keys = new URL(parsed.data.jwks_uri);
    if (base.startsWith('https:') && keys.protocol !== 'https:') throw new Error('its keys are not offered over https');
    if (this.description?.keys && this.keysAddress === keys.href) {
      this.description = {
        ...this.description,
        issuer: parsed.data.issuer,
        tokenEndpoint: parsed.data.token_endpoint,
        readAtMs: performance.now(),
      };
      return this.description;
    }
    this.keysAddress = keys.href;
    const remote = createRemoteJWKSet(keys, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: cooldownMs,
      cacheMaxAge: maxAgeMs,
      [customFetch]: (url, init) => this.fetch(url, init),
    });
    this.description = {
      issuer: parsed.data.issuer,
      tokenEndpoint: parsed.data.token_endpoint,
      keys: remote,
      readAtMs: performance.now(),
    };
    return this.description;
  }

  private keysAddress: string | undefined;

  /** Sends one request to the provider, unless the last one failed a moment ago. */
  private async fetch(url: string, init: RequestInit): Promise<Response> {
    if (this.failure && performance.now() - this.failure.atMs < this.options.pauseMs) throw new Error(this.failure.reason);
    try {
      const response = await fetch(url, init);
      if (response.status >= 500) throw new Error(`it answers ${response.status}`);
      this.failure = undefined;
      return response;
    } catch (error) {
      throw this.failed(error);
    }
  }

  private failed(error: unknown): Error {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? (errorCode(cause) ?? cause.message) : String(cause);
    this.failure = { reason, atMs: performance.now() };
    return new Error(reason);
  }

  private unavailable(error: unknown): ServiceError {
    const reason = error instanceof Error ? error.message : String(error);
    this.failure ??= { reason, atMs: performance.now() };
    this.options.log.warn({ issuer: this.options.issuer, reason }, 'the OpenID Connect provider does not answer');
    return new ServiceError(
      'Unavailable',
      'Tokens cannot be checked at the moment, because their provider does not answer. Try again in a few seconds.',
      {
        retryAfterSeconds: RETRY_AFTER_S,
      },
    );
  }
}

function isAboutTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
