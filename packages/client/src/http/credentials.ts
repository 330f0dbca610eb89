/** A user of the access policy, or an access token of the OpenID Connect provider. spec: decisions.md 8.1 */
export type Credentials = { username: string; password: string } | { token: string };

/** Reason for asking: first use, credentials that expire soon, or a refusal by the server. */
export type CredentialsReason = 'first' | 'expiring' | 'refused';

/** Credentials, or a function that returns them whenever new ones are needed; `undefined`: none. */
export type CredentialsSource = Credentials | ((reason: CredentialsReason) => Credentials | undefined | Promise<Credentials | undefined>);

/** Caches credentials until they are refused. Concurrent callers share one request. */
export class CredentialsKeeper {
  private readonly source: CredentialsSource | undefined;
  private current: Promise<Credentials | undefined> | undefined;

  constructor(source: CredentialsSource | undefined) {
    this.source = source;
  }

  /** True if the source can give other credentials than the refused ones. */
  get canAskAgain(): boolean {
    return typeof this.source === 'function';
  }

  get(): Promise<Credentials | undefined> {
    return (this.current ??= this.ask('first'));
  }

  /** @param stale credentials that were refused or expire; others fetched meanwhile are used instead. */
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
      // The next request asks the source again.
      this.current = undefined;
      throw error;
    }
  }
}

/** Formats the header `Authorization`. */
export function authorizationOf(credentials: Credentials): string {
  if ('token' in credentials) return `Bearer ${credentials.token}`;
  const bytes = new TextEncoder().encode(`${credentials.username}:${credentials.password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
