import { spawn } from 'node:child_process';

export interface DockerOptions {
  env?: NodeJS.ProcessEnv;
  /** Default 120,000. */
  timeoutMs?: number;
}

/**
 * Runs docker.
 * @returns what it prints
 * @throws an error with its messages when it fails or takes too long
 */
export function docker(args: readonly string[], { env = process.env, timeoutMs = 120_000 }: DockerOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('docker', args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' });
    let [output, problems] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`docker ${args.join(' ')} ended with ${signal ?? code}: ${problems.trim().slice(-1000)}`));
    });
  });
}

/** Kills the first process of a container like a crash. The engine's own `kill` would count as a stop and prevent the restart. */
export async function killContainer(id: string, imageWithNode: string): Promise<void> {
  const pid = (await docker(['inspect', '--format', '{{.State.Pid}}', id])).trim();
  if (!/^[1-9]\d*$/.test(pid)) throw new Error(`the container ${id} does not run`);
  const kill = `process.kill(${pid}, 'SIGKILL')`;
  // The process belongs to the engine's machine, which may be a virtual one, and to another user.
  await docker(['run', '--rm', '--pid=host', '--user=0', '--network=none', '--entrypoint=node', imageWithNode, '-e', kill]);
}
