import { createHash, randomBytes } from 'node:crypto';
import { DESKTOP } from './provider-messages.ts';

export interface SignedInTokens {
  accessToken: string;
  refreshToken: string;
}

interface Discovered {
  authorization_endpoint: string;
  token_endpoint: string;
}

const SCOPES = 'openid profile email offline_access';
const MAX_STEPS = 12;

/** A sign-in that a program on a desktop has begun (authorization code with PKCE, RFC 7636). */
export interface BegunSignIn {
  /** The page of the provider, for a browser. */
  url: string;
  /** @param returned address to which the provider redirected the browser. @throws with the error of the provider */
  finish(returned: string): Promise<SignedInTokens>;
}

/** @param resource name of another API at the provider than this server */
export async function beginSignIn(issuer: string, resource?: string): Promise<BegunSignIn> {
  const endpoints = await discover(issuer);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const audience = resource === undefined ? {} : { resource };
  const start = new URL(endpoints.authorization_endpoint);
  start.search = new URLSearchParams({
    client_id: DESKTOP.id,
    response_type: 'code',
    redirect_uri: DESKTOP.redirectUri,
    scope: SCOPES,
    // Providers give no refresh token without consent (OpenID Connect Core, 11).
    prompt: 'consent',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...audience,
  }).toString();
  return {
    url: start.href,
    finish: async (returned) => {
      const { searchParams: answer } = new URL(returned);
      const code = answer.get('code');
      if (code === null || answer.get('state') !== state) throw new Error(`the provider sent back to ${returned}`);
      return await exchange(endpoints.token_endpoint, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: DESKTOP.redirectUri,
        client_id: DESKTOP.id,
        code_verifier: verifier,
        ...audience,
      });
    },
  };
}

/** Signs a person in through the pages of the provider, like a browser. @throws with the sentence of a page that refuses the sign-in */
export async function signInWithPage(
  issuer: string,
  { name, password }: { name: string; password: string },
  resource?: string,
): Promise<SignedInTokens> {
  const begun = await beginSignIn(issuer, resource);
  return await begun.finish(await throughPages(begun.url, { username: name, password }));
}

/** Gets new tokens for a refresh token. @throws with the error of the provider */
export async function refreshTokens(issuer: string, refreshToken: string): Promise<SignedInTokens> {
  const { token_endpoint: endpoint } = await discover(issuer);
  return await exchange(endpoint, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: DESKTOP.id });
}

/** Gets a token for a program with an account of its own. @throws with the error of the provider */
export async function tokenForProgram(issuer: string, id: string, secret: string): Promise<string> {
  const { token_endpoint: endpoint } = await discover(issuer);
  const account = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
  return (await exchange(endpoint, { grant_type: 'client_credentials' }, { Authorization: `Basic ${account}` })).accessToken;
}

async function discover(issuer: string): Promise<Discovered> {
  return (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Discovered;
}

async function exchange(endpoint: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<SignedInTokens> {
  const response = await fetch(endpoint, { method: 'POST', headers, body: new URLSearchParams(form) });
  const answer = (await response.json()) as { access_token?: string; refresh_token?: string; error?: string; error_description?: string };
  if (answer.access_token === undefined) throw new Error(`${answer.error}: ${answer.error_description}`);
  return { accessToken: answer.access_token, refreshToken: answer.refresh_token ?? '' };
}

/** Follows redirects and submits forms, like a browser, until the provider redirects to the program. */
async function throughPages(start: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const cookies = new Map<string, string>();
  let [address, body]: [string, URLSearchParams | undefined] = [start, undefined];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (address.startsWith(DESKTOP.redirectUri)) return address;
    const response: Response = await fetch(address, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location === null && response.status !== 200)
      throw new Error(/<p id="sentence">(.+?)<\/p>/.exec(page)?.[1] ?? `${response.status}: ${page}`);
    const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
    const names = [...page.matchAll(/<input name="(\w+)"/g)].map(([, name = '']) => name);
    const next = location ?? action;
    if (next === null || next === undefined) throw new Error(`a page without a form: ${page}`);
    address = new URL(next, address).href;
    body = location === null ? new URLSearchParams(Object.fromEntries(names.map((name) => [name, fields[name] ?? '']))) : undefined;
  }
  throw new Error(`the provider leads nowhere: ${address}`);
}
