import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { startProcess, type RunningProcess } from './start-process.ts';

const node = process.execPath;

describe('startProcess', () => {
  const started: RunningProcess[] = [];
  const start = async (script: string, ready?: RegExp, timeoutMs = 10_000) => {
    const running = await startProcess(node, ['-e', script], { env: { GREETING: 'hello' }, timeoutMs, ...(ready ? { ready } : {}) });
    started.push(running);
    return running;
  };
  afterAll(async () => {
    for (const running of started) await running.kill9();
  });

  it('waits until the output matches and passes the environment', async () => {
    const running = await start('setTimeout(() => console.log(process.env.GREETING), 100); setInterval(() => {}, 1000)', /hello/);
    expect(running.output()).toContain('hello');
    expect(isAlive(running.pid)).toBe(true);
  });

  it('stop lets the process end by itself and returns its exit code', async () => {
    const running = await start(
      `process.on('SIGTERM', () => { console.log('bye'); process.exit(3) }); console.log('up'); setInterval(() => {}, 1000)`,
      /up/,
    );
    expect(await running.stop()).toEqual({ code: 3, signal: null });
    expect(running.output()).toContain('bye');
  });

  it('stop kills a process that ignores it, with its children', async () => {
    const script = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      process.on('SIGTERM', () => {}); console.log('child ' + pid + ';'); setInterval(() => {}, 1000)`;
    const running = await start(script, /child \d+;/);
    const child = Number(/child (\d+);/.exec(running.output())?.[1]);
    expect(isAlive(child)).toBe(true);
    expect(await running.stop(100)).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(() => !isAlive(child));
  });

  it('kill9 ends the process without cleanup, and may be called twice', async () => {
    const running = await start(`process.on('SIGTERM', () => console.log('tidy')); console.log('up'); setInterval(() => {}, 1000)`, /up/);
    expect(await running.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await running.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(running.output()).not.toContain('tidy');
  });

  it('rejects with the output when the process ends before it is ready', async () => {
    await expect(start(`console.error('no such setting'); process.exitCode = 2`, /never/)).rejects.toThrow(
      /ended with code 2[\s\S]*no such setting/,
    );
  });

  it('kills a process that is not ready in time', async () => {
    const script = `console.log('pid ' + process.pid + ';'); setInterval(() => {}, 1000)`;
    const text = await start(script, /never/, 700).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(text).toContain('was not ready (/never/) after 700 ms');
    const pid = Number(/pid (\d+);/.exec(text)?.[1]);
    await eventually(() => !isAlive(pid));
  });

  it('rejects a missing program', async () => {
    await expect(startProcess('/no/such/program', [])).rejects.toThrow('ENOENT');
  });

  it('ends when its test process is killed', async () => {
    const module = new URL('./start-process.ts', import.meta.url).href;
    const script = `import { startProcess } from ${JSON.stringify(module)};
      const inner = await startProcess(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log('inner ' + inner.pid + ';'); setInterval(() => {}, 1000);`;
    const outer = await startProcess(node, ['--input-type=module', '-e', script], { ready: /inner \d+;/ });
    started.push(outer);
    const inner = Number(/inner (\d+);/.exec(outer.output())?.[1]);
    expect(isAlive(inner)).toBe(true);
    await outer.kill9();
    await eventually(() => !isAlive(inner));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
