import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, serverSettings } from '@sinebar/runtime';
import { authenticationSettings, type AuthenticationSettings } from './settings.ts';

export class PolicyFile {
  readonly path: string;
  private readonly folder = mkdtempSync(join(tmpdir(), 'sinebar-policy-'));

  constructor(content: object) {
    this.path = join(this.folder, 'policy.yaml');
    this.write(content);
  }

  /** Writes JSON, which is also YAML. */
  write(content: object | string): void {
    const next = `${this.path}.next`;
    writeFileSync(next, typeof content === 'string' ? content : JSON.stringify(content));
    renameSync(next, this.path);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function settingsFrom(env: Record<string, string>): AuthenticationSettings & { SINEBAR_HOST: string } {
  return loadSettings({ ...serverSettings, ...authenticationSettings }, env).values;
}

/** Short times, so that tests need not wait. */
export const FAST = { pollMs: 30, settleMs: 5, failureMs: 0, keysCooldownMs: 0, providerPauseMs: 0 };

export function basicHeader(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}
