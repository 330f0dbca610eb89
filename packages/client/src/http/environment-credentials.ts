import type { Credentials } from './credentials.ts';

/**
 * Reads credentials from `SINEBAR_TOKEN`, or `SINEBAR_USER` with `SINEBAR_PASSWORD`; none when all are unset.
 * @throws TypeError when the variables contradict each other
 */
export function credentialsFromEnvironment(env: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  const { SINEBAR_TOKEN: token, SINEBAR_USER: username, SINEBAR_PASSWORD: password } = env;
  if (token && (username || password)) throw new TypeError('Set either SINEBAR_TOKEN, or SINEBAR_USER and SINEBAR_PASSWORD.');
  if (token) return { token };
  if (!username && !password) return undefined;
  if (!username || !password) throw new TypeError('Set SINEBAR_USER and SINEBAR_PASSWORD together.');
  return { username, password };
}
