import type { AccessPolicy } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Logger } from '@sinebar/runtime';
import type { Authenticator, Credentials, SignIn } from './authenticator.ts';
import { WrongCredentials, type BasicAuthentication } from './basic/basic-authentication.ts';
import { InvalidToken, type BearerAuthentication, type BearerSignIn } from './oidc/bearer-authentication.ts';
import type { Refusals } from './refusals.ts';

export interface CurrentPolicy {
  readonly current: AccessPolicy;
  onChange(listener: () => void): { stop(): void };
  close(): Promise<void>;
}

export interface PolicyAuthenticatorOptions {
  policy: CurrentPolicy;
  log: Logger;
  refusals?: Pick<Refusals, 'note'>;
  /** At least one of the two is set. */
  basic?: BasicAuthentication | undefined;
  bearer?: BearerAuthentication | undefined;
}

/** The part of a sign-in that decides whether it is still valid. */
type Origin = { kind: 'basic'; user: string; hash: string } | ({ kind: 'bearer' } & BearerSignIn);

/** Longest accepted header: Node accepts 64 KiB of headers, and a token with many groups has a few KiB. */
const MAX_CREDENTIALS = 32 * 1024;

/** Authenticates the users of the access policy by password, token, or both. spec: decisions.md 8.1 */
export class PolicyAuthenticator implements Authenticator {
  readonly securityEnabled = true;
  private readonly options: PolicyAuthenticatorOptions;
  private readonly origins = new WeakMap<SignIn, Origin>();

  constructor(options: PolicyAuthenticatorOptions) {
    this.options = options;
    options.policy.onChange(() => options.basic?.policyChanged());
  }

  async authenticate(credentials: Credentials): Promise<SignIn> {
    try {
      return await this.signIn(credentials);
    } catch (error) {
      this.options.refusals?.note(credentials, error);
      throw error;
    }
  }

  private async signIn({ authorization, address }: Credentials): Promise<SignIn> {
    const { basic, bearer } = this.options;
    if (authorization === undefined || authorization === '') throw this.refusal(`Sign in to use this address. ${this.ways()}`);
    if (authorization.length > MAX_CREDENTIALS)
      throw this.refusal(`The header Authorization is longer than ${MAX_CREDENTIALS} characters.`);
    const [, scheme = '', credentials = ''] = /^([A-Za-z]+) +([^\s]+) *$/.exec(authorization) ?? [];
    try {
      switch (scheme.toLowerCase()) {
        case 'basic':
          if (basic) {
            const { name, password } = await basic.signIn(credentials, address);
            return this.signInOf({ kind: 'basic', user: name, hash: password });
          }
          break;
        case 'bearer':
          if (bearer) return this.signInOf({ kind: 'bearer', ...(await bearer.signIn(credentials, address)) });
          break;
        default:
      }
    } catch (error) {
      if (error instanceof WrongCredentials) throw this.refusal(error.message);
      if (error instanceof InvalidToken) throw this.refusal(error.message, error.message);
      throw error;
    }
    throw this.refusal(`The header Authorization is not valid here. ${this.ways()}`);
  }

  renew(signIn: SignIn): SignIn {
    const origin = this.origins.get(signIn);
    if (!origin) throw new Error('a sign-in can only be renewed by the authenticator that gave it');
    if (origin.kind === 'bearer' && this.options.bearer?.hasEnded(origin.expiresAt) !== false) {
      throw this.refusal('The token has expired. Sign in again.', 'The token has expired. Sign in again.');
    }
    return this.signInOf(origin);
  }

  onPolicyChange(listener: () => void): { stop(): void } {
    return this.options.policy.onChange(listener);
  }

  close(): Promise<void> {
    return this.options.policy.close();
  }

  /** @throws ServiceError 401 when the user or the password is not in the current policy */
  private signInOf(origin: Origin): SignIn {
    const policy = this.options.policy.current;
    let signIn: SignIn;
    if (origin.kind === 'bearer') {
      signIn = { principal: policy.principalOfClaims(origin.name, origin.claims), expiresAt: origin.expiresAt };
    } else {
      const user = policy.userNamed(origin.user);
      if (!user) throw this.refusal('This user does not exist any more. Ask an administrator.');
      if (user.password !== origin.hash) throw this.refusal('The password was changed. Sign in again.');
      signIn = { principal: policy.principalOf(user), expiresAt: undefined };
    }
    this.origins.set(signIn, origin);
    return signIn;
  }

  private ways(): string {
    const ways = [...(this.options.basic ? ['user name and password'] : []), ...(this.options.bearer ? ['a bearer token'] : [])];
    return `The server accepts ${ways.join(' or ')}.`;
  }

  /** Makes a 401 with a challenge for each way to sign in. @param tokenProblem problem of the received token (RFC 6750, 3.1) */
  private refusal(message: string, tokenProblem?: string): ServiceError {
    const challenges = [
      ...(this.options.basic ? ['Basic realm="Sinebar", charset="UTF-8"'] : []),
      ...(this.options.bearer
        ? [
            tokenProblem === undefined
              ? 'Bearer realm="Sinebar"'
              : `Bearer realm="Sinebar", error="invalid_token", error_description="${tokenProblem}"`,
          ]
        : []),
    ];
    return new ServiceError('Unauthenticated', message, { headers: { 'WWW-Authenticate': challenges.join(', ') } });
  }
}
