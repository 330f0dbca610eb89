import { watch, type FSWatcher } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AccessPolicy } from '@sinebar/access-control';
import { errorCode, pause } from '@sinebar/concurrency';
import type { Logger } from '@sinebar/runtime';
import { PolicyTextError, readPolicyText } from './policy-text.ts';

/** The policy file cannot be read or is invalid; the message names file and reason. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError';

  /** Why the file cannot be opened, without its name; `undefined` if its content is invalid. */
  get unreadable(): string | undefined {
    const code = errorCode(this.cause);
    return code !== undefined && /^E[A-Z]+$/.test(code) ? explainUnreadable(code, process.getuid?.()) : undefined;
  }
}

/** @param code code of the system's error @param user number of the account that reads; `undefined` on Windows */
export function explainUnreadable(code: string, user: number | undefined): string {
  if (code !== 'EACCES' && code !== 'EPERM') return code;
  return user === undefined
    ? `${code}: no permission`
    : `${code}: user ${user} has no permission; change the owner or the mode of the file and its folders`;
}

export interface PolicySourceOptions {
  file: string;
  log: Logger;
  /** Interval in milliseconds between checks of the file, for systems that do not report changes. */
  pollMs?: number;
  /** Time in milliseconds for which a changed file must stay unchanged before it is read: an editor may still be writing it. */
  settleMs?: number;
}

/** Size limit of a policy file; a policy of thousands of users has a few hundred KiB. */
const MAX_BYTES = 4 * 2 ** 20;

/** @throws PolicyFileError */
async function readPolicyFile(file: string): Promise<AccessPolicy> {
  return readPolicyOf(file, await readText(file));
}

/** Text of a policy file. @throws PolicyFileError */
export async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    if ((await stat(file)).size > MAX_BYTES) throw new PolicyFileError(`${file} is larger than ${MAX_BYTES} bytes`);
    bytes = await readFile(file);
  } catch (error) {
    if (error instanceof PolicyFileError) throw error;
    const code = errorCode(error);
    throw new PolicyFileError(
      `${file} cannot be read (${code === undefined ? String(error) : explainUnreadable(code, process.getuid?.())})`,
      { cause: error },
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new PolicyFileError(`${file} is not UTF-8 text`, { cause: error });
  }
}

/** @throws PolicyFileError */
export function readPolicyOf(file: string, text: string): AccessPolicy {
  try {
    return readPolicyText(text);
  } catch (error) {
    if (!(error instanceof PolicyTextError)) throw error;
    throw new PolicyFileError(error.problems.map(({ line, message }) => `${file}, line ${line}: ${message}`).join('\n'), { cause: error });
  }
}

/**
 * The current policy, updated with every change of its file: written in place, renamed over, or by the link `..data` of a Kubernetes
 * ConfigMap.
 * A broken or missing file changes nothing but is reported. spec: decisions.md 8.2
 */
export class PolicySource {
  private readonly options: Required<PolicySourceOptions>;
  private readonly listeners = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private watcher: FSWatcher | undefined;
  private policy: AccessPolicy;
  private seen: string;
  private problem: PolicyFileError | undefined;
  private looking: Promise<void> | undefined;
  private closed = false;

  private constructor(options: Required<PolicySourceOptions>, policy: AccessPolicy, seen: string) {
    this.options = options;
    this.policy = policy;
    this.seen = seen;
    this.timer = setInterval(() => this.look(), options.pollMs);
    this.timer.unref();
    this.watch();
  }

  /** @throws PolicyFileError without a valid policy at the start */
  static async open(options: PolicySourceOptions): Promise<PolicySource> {
    // Read before the file, so that the next check sees a change in between.
    const seen = await readStamp(options.file);
    const policy = await readPolicyFile(options.file);
    return new PolicySource({ pollMs: 1000, settleMs: 100, ...options }, policy, seen);
  }

  get current(): AccessPolicy {
    return this.policy;
  }

  /** Reason why the current file is not in force. */
  get refusal(): PolicyFileError | undefined {
    return this.problem;
  }

  /** Called after a changed policy is in force. */
  onChange(listener: () => void): { stop(): void } {
    const own = () => listener();
    this.listeners.add(own);
    return { stop: () => void this.listeners.delete(own) };
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    this.watcher?.close();
    await this.looking;
  }

  private watch(): void {
    try {
      // Watches the folder: a file that is renamed over this one, or over a link to it, is another file.
      this.watcher = watch(dirname(this.options.file), { persistent: false }, () => this.look());
      this.watcher.on('error', () => this.watcher?.close());
    } catch {
      // Without a watcher the regular checks are enough.
    }
  }

  private look(): void {
    this.looking ??= this.follow().finally(() => (this.looking = undefined));
  }

  private async follow(): Promise<void> {
    const { file, settleMs } = this.options;
    let stamp = await readStamp(file);
    while (stamp !== this.seen && !this.closed) {
      await pause(settleMs);
      const later = await readStamp(file);
      if (later === stamp) {
        await this.read(stamp);
        return;
      }
      stamp = later;
    }
  }

  private async read(stamp: string): Promise<void> {
    const { file, log } = this.options;
    try {
      const policy = await readPolicyFile(file);
      // The file was written while it was read: the next check reads it again.
      if ((await readStamp(file)) !== stamp || this.closed) return;
      this.seen = stamp;
      this.problem = undefined;
      if (policy.version === this.policy.version) return;
      this.policy = policy;
      log.info({ file, version: policy.version, users: policy.users.length }, 'a changed access policy is in force');
      this.notifyListeners();
    } catch (error) {
      this.seen = stamp;
      this.problem = error instanceof PolicyFileError ? error : new PolicyFileError(`${file} could not be read`, { cause: error });
      log.error({ file, reason: this.problem.message }, 'the changed access policy is not in force; the previous one stays');
    }
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        this.options.log.error({ err: error }, 'a listener failed to apply the changed access policy');
      }
    }
  }
}

/** Identifies one state of the file; a link with another target is another state. */
async function readStamp(file: string): Promise<string> {
  try {
    const target = await realpath(file);
    const { ino, size, mtimeNs, ctimeNs } = await stat(target, { bigint: true });
    return [target, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return `(${errorCode(error) ?? 'missing'})`;
  }
}
