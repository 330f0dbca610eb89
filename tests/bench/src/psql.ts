import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a script in psql. @returns the milliseconds that `\timing` reports for each statement; rows are discarded */
export async function psqlTimesMs(databaseUrl: string, script: string): Promise<number[]> {
  const child = spawn('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', databaseUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  const times: number[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // Results may be large: only the end of the last line is kept.
    const lines = `${rest}${text}`.split('\n');
    rest = (lines.pop() ?? '').slice(-200);
    for (const line of lines) {
      const time = /^Time: ([\d.]+) ms/.exec(line)?.[1];
      if (time !== undefined) times.push(Number(time));
    }
  });
  child.stdin.end(`\\timing on\n${script}\n`);
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`psql ended with code ${code}`);
  return times;
}
