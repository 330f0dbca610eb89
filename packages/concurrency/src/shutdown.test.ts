import { describe, expect, it } from '@jest/globals';
import { Shutdown } from './shutdown.ts';

const log = { info: () => undefined, error: () => undefined };

describe('shutdown', () => {
  it('runs each phase once, whatever the order of registration', async () => {
    const done: string[] = [];
    const shutdown = new Shutdown(log);
    const step = (name: string, ms: number) => async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      done.push(name);
    };
    shutdown.add('backing', 'database', 500, step('database', 0));
    shutdown.add('accept', 'server', 500, step('server', 30));
    shutdown.add('work', 'relay', 500, step('relay', 10));
    const [first, second] = await Promise.all([shutdown.run('a'), shutdown.run('b')]);
    expect(first).toBe(true);
    expect(second).toBe(true);
    expect(done).toEqual(['server', 'relay', 'database']);
  });

  it('continues after a step that hangs or fails, and reports it', async () => {
    let closed = false;
    const shutdown = new Shutdown(log);
    shutdown.add('accept', 'hangs', 20, () => new Promise(() => undefined));
    shutdown.add('work', 'fails', 20, () => Promise.reject(new Error('broken')));
    shutdown.add('backing', 'closes', 20, () => {
      closed = true;
      return Promise.resolve();
    });
    expect(await shutdown.run('test')).toBe(false);
    expect(closed).toBe(true);
  });
});
