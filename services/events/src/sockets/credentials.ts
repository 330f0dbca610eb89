import { ServiceError } from '@sinebar/contracts';
import { z } from 'zod';

/** A token of a provider with many claims has a few KiB; Node's own limit for all headers together is 64 KiB. */
const MAX_LENGTH = 32 * 1024;

const shortText = (name: string) =>
  z.string(`The member ${name} must be a text.`).max(MAX_LENGTH, `The member ${name} may have at most ${MAX_LENGTH} characters.`).nullish();

/** Other members, such as `lastSequence`, are not credentials. */
const credentialsSchema = z.object(
  {
    token: shortText('token'),
    authorization: shortText('authorization'),
    username: shortText('username'),
    password: shortText('password'),
  },
  'Credentials are an object with the member token, the members username and password, or the member authorization.',
);

/**
 * Converts `auth` or the argument of `reauthenticate` to an `Authorization` header.
 * A page in a browser cannot set headers of a WebSocket.
 * @returns `undefined` when it holds no credentials. @throws ServiceError 401
 */
export function authorizationOf(auth: unknown): string | undefined {
  const parsed = credentialsSchema.safeParse(auth ?? {});
  if (!parsed.success) throw new ServiceError('Unauthenticated', parsed.error.issues[0]?.message ?? 'The credentials are malformed.');
  const { token, authorization, username, password } = parsed.data;
  const given = [token != null, authorization != null, username != null || password != null].filter(Boolean).length;
  if (given > 1) throw new ServiceError('Unauthenticated', 'Give only one of token, authorization, or username and password.');
  if (token != null) return `Bearer ${token}`;
  if (authorization != null) return authorization;
  if (username == null && password == null) return undefined;
  if (username == null || password == null) throw new ServiceError('Unauthenticated', 'Give username and password together.');
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
