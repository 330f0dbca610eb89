import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

export interface TestSigningKey {
  kid: string;
  /** Of its signatures, such as `ES256`. */
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

/** Members that are `undefined` are left out of the token. */
export type TestClaims = { [K in keyof JWTPayload]: JWTPayload[K] | undefined };

const LIFETIME_S = 300;

/**
 * A small OpenID Connect provider over real HTTP on this computer: discovery, keys and their rotation, and tokens for whoever asks.
 * It counts what it is asked, and can be made to fail.
 */
export class TestOidcProvider {
  readonly audience = 'sinebar';
  /** Requests so far. */
  readonly asked = { discovery: 0, keys: 0 };
  /** While true, every request is answered 503. */
  isDown = false;
  /** What discovery names as issuer. */
  issuer = '';
  private readonly server: Server;
  private keys: TestSigningKey[] = [];

  private constructor() {
    this.server = createServer((request, response) => {
      const answer = this.answer(request.url ?? '');
      response.writeHead(answer.status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  }

  static async start(): Promise<TestOidcProvider> {
    const provider = new TestOidcProvider();
    await provider.listen(0);
    await provider.rotate();
    return provider;
  }

  /** The key that tokens are signed with now. */
  get currentKey(): TestSigningKey {
    return this.keys.at(-1) as TestSigningKey;
  }

  /** Signs with a new key from now on. The keys before stay on offer unless `forgetOthers`. */
  async rotate(forgetOthers = false, alg?: string): Promise<void> {
    const key = await newSigningKey(alg);
    this.keys = forgetOthers ? [key] : [...this.keys, key];
  }

  /** A token that is valid for five minutes, with some claims, or header members, of one's own. */
  async token(
    claims: TestClaims = {},
    header: Readonly<Record<string, unknown>> = {},
    key: TestSigningKey = this.currentKey,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.issuer, aud: this.audience, sub: 'somebody', iat: now, exp: now + LIFETIME_S, ...claims };
    return new SignJWT(Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
      .sign(key.privateKey);
  }

  publicKeyPem(): Promise<string> {
    return exportSPKI(this.currentKey.publicKey);
  }

  /** Nobody listens at the address until `resume`. */
  async suspend(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async resume(): Promise<void> {
    await this.listen(Number(new URL(this.issuer).port));
  }

  async stop(): Promise<void> {
    if (this.server.listening) await this.suspend();
  }

  private async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    if (this.issuer === '') this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private answer(url: string): { status: number; body: unknown } {
    const kind = url.endsWith('/.well-known/openid-configuration') ? 'discovery' : url.endsWith('/keys') ? 'keys' : undefined;
    if (kind === undefined) return { status: 404, body: {} };
    this.asked[kind] += 1;
    if (this.isDown) return { status: 503, body: {} };
    const own = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return kind === 'keys'
      ? { status: 200, body: { keys: this.keys.map(({ jwk }) => jwk) } }
      : { status: 200, body: { issuer: this.issuer, jwks_uri: `${own}/keys` } };
  }
}

/** A key pair that no provider offers until it is given to one. */
export async function newSigningKey(alg = 'ES256'): Promise<TestSigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
