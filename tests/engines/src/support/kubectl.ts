import { spawn, spawnSync } from 'node:child_process';

interface ProgramOptions {
  input?: string;
  /** Default 60,000. */
  timeoutMs?: number;
  /** Is given what a program that succeeds writes to stderr. */
  onWarning?: (text: string) => void;
}

/**
 * Runs kubectl on the cluster of KUBECONFIG.
 * @returns what it prints
 * @throws an error with its messages when it fails or takes too long
 */
export function kubectl(args: readonly string[], options: ProgramOptions = {}): Promise<string> {
  return runProgram('kubectl', args, options);
}

/** Runs a program for the cluster of KUBECONFIG, as {@link kubectl} does. */
export function runProgram(
  program: string,
  args: readonly string[],
  { input = '', timeoutMs = 60_000, onWarning }: ProgramOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { timeout: timeoutMs, killSignal: 'SIGKILL' });
    let [output, problems] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) {
        onWarning?.(problems);
        resolve(output);
      } else reject(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}: ${problems.trim()}`));
    });
    // A program that ends early closes its input.
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** @returns why no test can use a cluster; `undefined` when one answers */
export function whyNoCluster(): string | undefined {
  if (!process.env['KUBECONFIG']) return 'KUBECONFIG names no cluster';
  const { error, status, stderr } = spawnSync('kubectl', ['get', '--raw', '/readyz'], { encoding: 'utf8', timeout: 20_000 });
  if (error) return `kubectl cannot be run: ${error.message}`;
  return status === 0 ? undefined : `the cluster of KUBECONFIG does not answer: ${stderr.trim()}`;
}
