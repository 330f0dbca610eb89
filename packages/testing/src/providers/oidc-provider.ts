import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

export interface TestSigningKey {
  kid: string;
  /** Algorithm of its signatures, such as `ES256`. */
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

/** Members that are `undefined` are left out of the token. */
export type TestClaims = { [K in keyof JWTPayload]: JWTPayload[K] | undefined };

const LIFETIME_S = 300;

interface Answer {
  status: number;
  body: unknown;
}

/**
 * A small OpenID Connect provider over HTTP: discovery, key rotation, and tokens without a sign-in. It counts requests and can fail on
 * request.
 */
export class TestOidcProvider {
  readonly audience = 'sinebar';
  readonly asked = { discovery: 0, keys: 0, tokens: 0 };
  /** Programs with an account of their own, and their secrets: they get tokens by `client_credentials`. */
  readonly accounts = new Map<string, string>();
  /** While true, every request is answered 503. */
  isDown = false;
  issuer = '';
  private readonly server: Server;
  private keys: TestSigningKey[] = [];

  private constructor() {
    this.server = createServer((request, response) => {
      void this.answer(request).then((answer) => {
        response.writeHead(answer.status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(answer.body));
      });
    });
  }

  static async start(): Promise<TestOidcProvider> {
    const provider = new TestOidcProvider();
    await provider.listen(0);
    await provider.rotate();
    return provider;
  }

  get currentKey(): TestSigningKey {
    return this.keys.at(-1) as TestSigningKey;
  }

  /** Signs with a new key from now on. Earlier keys stay published unless `forgetOthers`. */
  async rotate(forgetOthers = false, alg?: string): Promise<void> {
    const key = await newSigningKey(alg);
    this.keys = forgetOthers ? [key] : [...this.keys, key];
  }

  /** Issues a token that is valid for five minutes, with the given claims and header members. */
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

  /** Stops listening until `resume`. */
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

  private async answer(request: IncomingMessage): Promise<Answer> {
    const url = request.url ?? '';
    const kind = /\/(?:\.well-known\/openid-configuration|keys|token)$/.exec(url)?.[0];
    const name = kind === '/keys' ? 'keys' : kind === '/token' ? 'tokens' : 'discovery';
    if (kind === undefined) return { status: 404, body: {} };
    this.asked[name] += 1;
    if (this.isDown) return { status: 503, body: {} };
    if (name === 'keys') return { status: 200, body: { keys: this.keys.map(({ jwk }) => jwk) } };
    if (name === 'tokens') return this.tokenAnswer(request);
    const own = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return { status: 200, body: { issuer: this.issuer, jwks_uri: `${own}/keys`, token_endpoint: `${own}/token` } };
  }

  /** The grant `client_credentials` (RFC 6749, 4.4). */
  private async tokenAnswer(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const grant = new URLSearchParams(Buffer.concat(chunks).toString()).get('grant_type');
    if (request.method !== 'POST' || grant !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } };
    const account = Buffer.from(/^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '', 'base64').toString();
    const [id = '', secret = ''] = [account.slice(0, account.indexOf(':')), account.slice(account.indexOf(':') + 1)];
    const known = [...this.accounts].some(([name, own]) => [id, decoded(id)].includes(name) && [secret, decoded(secret)].includes(own));
    if (!known) return { status: 401, body: { error: 'invalid_client' } };
    const token = await this.token({ azp: decoded(id), sub: `service-account-${decoded(id)}` });
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_S } };
  }
}

/** Names and secrets are percent-encoded in the header (RFC 6749, 2.3.1), which not every client does. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Makes a key pair that no provider publishes yet. */
export async function newSigningKey(alg = 'ES256'): Promise<TestSigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
