import { SinebarError, type Credentials, type CredentialsReason, type Permissions } from '@sinebar/client';
import { Drafts } from './drafts';
import type { OpenIdClient, ProviderInformation, Tokens } from './open-id';
import { identify, type SignInWays } from './permissions';

/** The failure of the last attempt to sign in. */
export type SignInProblem =
  { kind: 'refused' } | { kind: 'no-rights' } | { kind: 'too-many-attempts'; seconds: number } | { kind: 'failed'; message: string };

export type SessionState =
  | { step: 'starting' }
  /** The server does not answer; the session begins by itself when it does. */
  | { step: 'unreachable' }
  /** `permissions`: those of a working page whose credentials are no longer accepted; it stays as it is until somebody signs in. */
  | { step: 'signed-out'; ways: SignInWays; permissions?: Permissions | undefined; problem?: SignInProblem | undefined }
  | { step: 'signed-in'; permissions: Permissions; way: 'none' | 'basic' | 'openId' };

export interface SessionOptions {
  /** Address of the server, without a trailing slash. */
  serverUrl: string;
  /** Address of the console, with a trailing slash. */
  consoleUrl: string;
  send?: typeof fetch;
  storage?: Storage;
}

const RETRY_MS = 3_000;
/** Says in the storage of the tab that its reader signs in at the provider, so that a reload needs no click. */
const BY_PROVIDER = 'sinebar.by-provider';

/** Signs the reader in and keeps the credentials. Passwords and tokens stay in memory and are forgotten on reload. */
export class Session {
  private readonly options: Required<SessionOptions>;
  readonly drafts: Drafts;
  private readonly listeners = new Set<() => void>();
  private state: SessionState = { step: 'starting' };
  private credentials: Credentials | undefined;
  private tokens: Tokens | undefined;
  private openId: Promise<OpenIdClient> | undefined;
  private waiting: ((credentials: Credentials | undefined) => void)[] = [];
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor({ send = (...request) => fetch(...request), storage = sessionStorage, ...options }: SessionOptions) {
    this.options = { send, storage, ...options };
    this.drafts = new Drafts(storage);
  }

  readonly snapshot = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Finds out whether the server wants a sign-in. @param arrival address with the answer of the provider, if it sent the reader here */
  async begin(arrival?: URL): Promise<{ returnTo?: string }> {
    try {
      if (arrival !== undefined) return await this.arrive(arrival);
      const answer = await identify(this.options.serverUrl, this.options.send, this.credentials);
      if (answer.kind === 'known') this.enter(answer.permissions, 'none');
      else if (answer.kind === 'unknown') await this.ask(answer.ways);
      else this.becomeLater(answer.seconds * 1000);
    } catch (error) {
      if (!(error instanceof SinebarError)) throw error;
      if (this.permissions === undefined) this.become({ step: 'unreachable' });
      this.becomeLater(RETRY_MS);
    }
    return {};
  }

  /** Gives the client its credentials; waits for the reader to sign in where that is needed. */
  readonly credentialsFor = async (reason: CredentialsReason): Promise<Credentials | undefined> => {
    if (reason !== 'first' && this.tokens?.refresh !== undefined) {
      const refreshed = await this.refresh(this.tokens.refresh);
      if (refreshed !== undefined) return refreshed;
    }
    if (reason === 'refused' && this.state.step === 'signed-in') this.expire();
    if (this.state.step === 'signed-in') return this.credentials;
    return new Promise((resolve) => this.waiting.push(resolve));
  };

  /** Signs in with name and password. */
  async signIn(username: string, password: string): Promise<void> {
    const { state } = this;
    if (state.step !== 'signed-out') return;
    const refuse = (problem: SignInProblem) => this.become({ ...state, problem });
    try {
      const credentials = { username, password };
      const answer = await identify(this.options.serverUrl, this.options.send, credentials);
      if (answer.kind === 'unknown') return refuse({ kind: 'refused' });
      if (answer.kind === 'too-many-attempts') return refuse(answer);
      this.credentials = credentials;
      this.enter(answer.permissions, 'basic');
    } catch (error) {
      refuse({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Leads the reader to the provider, and back to the view that is open now. */
  async signInAtProvider(returnTo = location.href): Promise<void> {
    const { state } = this;
    if (state.step !== 'signed-out') return;
    try {
      this.options.storage.setItem(BY_PROVIDER, 'yes');
      this.drafts.keep();
      await (await this.provider()).depart(returnTo, this.options.storage);
    } catch (error) {
      this.options.storage.removeItem(BY_PROVIDER);
      this.drafts.stay();
      this.become({ ...state, problem: { kind: 'failed', message: error instanceof Error ? error.message : String(error) } });
    }
  }

  /** Forgets the reader. */
  async signOut(): Promise<void> {
    this.credentials = undefined;
    this.tokens = undefined;
    this.options.storage.removeItem(BY_PROVIDER);
    this.drafts.forgetAll();
    this.become({ step: 'starting' });
    await this.begin();
  }

  /** What the reader may do, or could do until the credentials were refused. */
  private get permissions(): Permissions | undefined {
    return 'permissions' in this.state ? this.state.permissions : undefined;
  }

  private async ask(ways: SignInWays): Promise<void> {
    const { permissions } = this;
    this.become({ step: 'signed-out', ways, permissions });
    const knowsProvider = ways.openId && this.options.storage.getItem(BY_PROVIDER) !== null;
    if (knowsProvider && permissions === undefined) await this.signInAtProvider();
  }

  private async arrive(address: URL): Promise<{ returnTo?: string }> {
    const ways = { basic: false, openId: true };
    try {
      const { tokens, returnTo } = await (await this.provider()).arrive(address, this.options.storage);
      this.tokens = tokens;
      this.credentials = { token: tokens.access };
      const answer = await identify(this.options.serverUrl, this.options.send, this.credentials);
      if (answer.kind === 'known') this.enter(answer.permissions, 'openId');
      else this.become({ step: 'signed-out', ways, problem: { kind: 'no-rights' } });
      return { returnTo };
    } catch (error) {
      this.options.storage.removeItem(BY_PROVIDER);
      const message = error instanceof Error ? error.message : String(error);
      this.become({ step: 'signed-out', ways, problem: { kind: 'failed', message } });
      return {};
    }
  }

  private async refresh(refreshToken: string): Promise<Credentials | undefined> {
    try {
      this.tokens = await (await this.provider()).refresh(refreshToken);
      this.credentials = { token: this.tokens.access };
      return this.credentials;
    } catch {
      // The provider has ended the session: the reader signs in again.
      this.tokens = undefined;
      return undefined;
    }
  }

  /** The credentials are no longer accepted: the page stays, and asks for others. */
  private expire(): void {
    this.credentials = undefined;
    const { permissions } = this;
    void identify(this.options.serverUrl, this.options.send).then(
      (answer) => {
        if (answer.kind === 'known') this.enter(answer.permissions, 'none');
        else if (answer.kind === 'unknown') this.become({ step: 'signed-out', ways: answer.ways, permissions });
        else this.becomeLater(answer.seconds * 1000);
      },
      () => this.becomeLater(RETRY_MS),
    );
    this.become({ step: 'signed-out', ways: { basic: false, openId: false }, permissions });
  }

  private provider(): Promise<OpenIdClient> {
    this.openId ??= this.loadProvider().catch((error: unknown) => {
      this.openId = undefined;
      throw error;
    });
    return this.openId;
  }

  private async loadProvider(): Promise<OpenIdClient> {
    const { serverUrl, consoleUrl, send } = this.options;
    // Loaded only where a provider is used.
    const { OpenIdClient: Client } = await import('./open-id');
    const response = await send(`${serverUrl}/oAuthServiceRest/oAuthConfiguration`, { credentials: 'omit' });
    if (!response.ok) throw new Error(`The server does not name its provider: it answers ${response.status}.`);
    const { localTokenInformation } = (await response.json()) as { localTokenInformation: ProviderInformation };
    return new Client(localTokenInformation, consoleUrl);
  }

  private enter(permissions: Permissions, way: 'none' | 'basic' | 'openId'): void {
    this.become({ step: 'signed-in', permissions, way });
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve(this.credentials);
  }

  private becomeLater(delayMs: number): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.begin(), delayMs);
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** Whether the provider has sent the reader to this address. */
export function isArrival(address: URL): boolean {
  return address.searchParams.has('state') && (address.searchParams.has('code') || address.searchParams.has('error'));
}
