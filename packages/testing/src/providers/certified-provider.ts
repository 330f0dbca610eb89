import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ProviderAccount, ProviderCommand, ProviderCounts, ProviderReply, ProviderStart } from './provider-messages.ts';

/** Built entry of the process, also used by tests that run from sources. */
const ENTRY = join(import.meta.dirname, 'provider-process.ts');
const START_MS = 60_000;
const DEFAULTS: ProviderStart = { audience: 'sinebar', accessTokenLifetimeS: 300, accounts: [], programs: [], pages: [] };

/**
 * A certified OpenID Connect provider (the package `oidc-provider`) in a process of its own: people sign in on its pages, programs by their
 * accounts.
 * It never issues a wrong token; `TestOidcProvider` does.
 */
export class CertifiedProvider {
  readonly issuer: string;
  readonly audience: string;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (reply: ProviderReply) => void>();
  private lastId = 0;

  private constructor(child: ChildProcess, issuer: string, audience: string) {
    this.child = child;
    this.issuer = issuer;
    this.audience = audience;
    child.on('message', (reply: ProviderReply) => {
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    });
  }

  /** @throws when it does not listen within a minute; the message carries its output */
  static async start(options: Partial<ProviderStart> = {}): Promise<CertifiedProvider> {
    const settings = { ...DEFAULTS, ...options };
    // The child gets no Node options of the test run; the package warns of Node 20 on stderr.
    const child = fork(ENTRY, [JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      env: { PATH: process.env['PATH'] },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    const ended = once(child, 'exit').then(() => undefined);
    const started = once(child, 'message', { signal: AbortSignal.timeout(START_MS) }).then(([reply]) => reply as ProviderReply);
    const first = await Promise.race([started.catch(() => undefined), ended]);
    if (!first) {
      child.kill('SIGKILL');
      throw new Error(`the provider does not start:\n${output}`);
    }
    return new CertifiedProvider(child, first.issuer, settings.audience);
  }

  /** Signs with a new key from now on. Earlier keys stay published unless `forgetOthers`. */
  async rotate(forgetOthers = false): Promise<void> {
    await this.ask({ name: 'rotate', forgetOthers });
  }

  /** Sets the offset of its clock in seconds; negative means behind ours. */
  async setClock(offsetS: number): Promise<void> {
    await this.ask({ name: 'setClock', offsetS });
  }

  /** Replaces the accounts; missing ones can neither sign in nor refresh a token. */
  async setAccounts(accounts: ProviderAccount[]): Promise<void> {
    await this.ask({ name: 'setAccounts', accounts });
  }

  /** While true, every request is answered 503. */
  async setDown(isDown: boolean): Promise<void> {
    await this.ask({ name: 'setDown', isDown });
  }

  async counts(): Promise<ProviderCounts> {
    return (await this.ask({ name: 'counts' })).counts;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  private ask(command: ProviderCommand): Promise<ProviderReply> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, resolve);
      this.child.send({ id, command }, (error) => error && reject(error));
    });
  }
}
