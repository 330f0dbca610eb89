import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, ScriptError } from '../command.mjs';

/** The public record of signatures is for those of the workflow: a key pair for a trial is known to nobody. */
const UNRECORDED = ['--use-signing-config=false', '--tlog-upload=false'];
const UNVERIFIED_RECORD = '--insecure-ignore-tlog=true';

/**
 * Makes a key pair for one trial. The files of a release are signed without one, by the identity of the workflow
 * (.github/workflows/release.yml).
 * @param {string} cosign path of the program
 */
export async function makeTrialKeys(cosign) {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-keys-'));
  const env = { ...process.env, COSIGN_PASSWORD: randomBytes(16).toString('hex') };
  const command = async (...words) => {
    const { code, output } = await run([cosign, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (code !== 0) throw new ScriptError(`cosign ${words[0]} failed:\n${output.trimEnd()}`);
  };
  await command('generate-key-pair');
  const [key, publicKey] = ['cosign.key', 'cosign.pub'].map((name) => join(folder, name));
  return {
    /** Signs a file, into a bundle beside it. */
    signFile: (file) => command('sign-blob', '--yes', '--key', key, '--bundle', bundleOf(file), ...UNRECORDED, file),
    /** @throws {ScriptError} when the file is another than the signed one */
    verifyFile: (file, bundle = bundleOf(file)) => command('verify-blob', '--key', publicKey, '--bundle', bundle, UNVERIFIED_RECORD, file),
    /** Signs an image of a local registry. @param {string} image its address, with a digest */
    signImage: (image) => command('sign', '--yes', '--key', key, '--allow-http-registry', ...UNRECORDED, image),
    /** @throws {ScriptError} when the image is not signed */
    verifyImage: (image) => command('verify', '--key', publicKey, '--allow-http-registry', UNVERIFIED_RECORD, image),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Name of the file with the signature of another. */
export function bundleOf(file) {
  return `${file}.sigstore.json`;
}
