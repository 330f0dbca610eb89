/** A user of the access policy, or an access token of the OpenID Connect provider. spec: decisions.md 8.1 */
export type Credentials = { username: string; password: string } | { token: string };

/** Why credentials are asked for: none were needed before, they end soon, or the server refused the last ones. */
export type CredentialsReason = 'first' | 'expiring' | 'refused';

/** Credentials, or a function that is asked for them, again whenever they end; `undefined`: none. */
export type CredentialsSource = Credentials | ((reason: CredentialsReason) => Credentials | undefined | Promise<Credentials | undefined>);

/** Keeps what the source gave until it is refused. Those who ask at the same time get the same answer. */
export class CredentialsKeeper {
  private readonly source: CredentialsSource | undefined;
  private current: Promise<Credentials | undefined> | undefined;

  constructor(source: CredentialsSource | undefined) {
    this.source = source;
  }

  /** Others can be had than those that were refused. */
  get canAskAgain(): boolean {
    return typeof this.source === 'function';
  }

  get(): Promise<Credentials | undefined> {
    return (this.current ??= this.ask('first'));
  }

  /** @param stale what was refused or ends; somebody else may have asked for others meanwhile, which are as good. */
  async renew(reason: CredentialsReason, stale: Credentials | undefined): Promise<Credentials | undefined> {
    const asked = this.current;
    const known = await asked?.catch(() => undefined);
    if (this.current !== asked) return this.get();
    if (known !== stale) return known;
    return (this.current = this.ask(reason));
  }

  private async ask(reason: CredentialsReason): Promise<Credentials | undefined> {
    try {
      return typeof this.source === 'function' ? await this.source(reason) : this.source;
    } catch (error) {
      // The next request asks again.
      this.current = undefined;
      throw error;
    }
  }
}

/** The header `Authorization`. */
export function authorizationOf(credentials: Credentials): string {
  if ('token' in credentials) return `Bearer ${credentials.token}`;
  const bytes = new TextEncoder().encode(`${credentials.username}:${credentials.password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
