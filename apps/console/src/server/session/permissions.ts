import { SinebarError, type Credentials, type Permissions } from '@sinebar/client';

/** Ways to sign in that the server offers. */
export interface SignInWays {
  /** Sign-in with the name and the password of a user of the access policy. */
  basic: boolean;
  /** Sign-in at the OpenID Connect provider. */
  openId: boolean;
}

/** Answer to the question who the reader is: the rights, or how to sign in. */
export type Identification =
  { kind: 'known'; permissions: Permissions } | { kind: 'unknown'; ways: SignInWays } | { kind: 'too-many-attempts'; seconds: number };

/** Asks the server who the reader is. @throws SinebarError when it is unreachable or fails */
export async function identify(serverUrl: string, send: typeof fetch, credentials?: Credentials): Promise<Identification> {
  const response = await send(`${serverUrl}/dataServiceRest/permissions`, {
    // The browser would open a dialog of its own for a request that is refused.
    credentials: 'omit',
    headers: credentials === undefined ? {} : { Authorization: authorizationOf(credentials) },
  }).catch((cause: unknown) => {
    throw new SinebarError('The server does not answer.', { status: 0, code: 'Unreachable', cause });
  });
  if (response.ok) return { kind: 'known', permissions: (await response.json()) as Permissions };
  if (response.status === 401) {
    const challenge = response.headers.get('WWW-Authenticate') ?? '';
    return { kind: 'unknown', ways: { basic: /\bBasic\b/i.test(challenge), openId: /\bBearer\b/i.test(challenge) } };
  }
  if (response.status === 429) return { kind: 'too-many-attempts', seconds: Number(response.headers.get('Retry-After') ?? 1) };
  throw new SinebarError(`The server answered ${response.status}.`, { status: response.status, code: 'UnexpectedAnswer' });
}

function authorizationOf(credentials: Credentials): string {
  if ('token' in credentials) return `Bearer ${credentials.token}`;
  const bytes = new TextEncoder().encode(`${credentials.username}:${credentials.password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
