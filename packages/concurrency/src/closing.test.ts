import { describe, expect, it } from '@jest/globals';
import { Closing } from './closing.ts';

const log = { error: () => undefined };

describe('Closing', () => {
  it('closes in the reverse order, one after the other', async () => {
    const closed: string[] = [];
    const closing = new Closing(log);
    for (const name of ['database', 'bus', 'service']) {
      closing.add(name, async () => {
        await new Promise(setImmediate);
        closed.push(name);
      });
    }
    await closing.run();
    await closing.run();
    expect(closed).toEqual(['service', 'bus', 'database']);
  });

  it('continues after a step that fails or hangs, and names it', async () => {
    const closed: string[] = [];
    const closing = new Closing(log);
    closing.add('database', () => Promise.resolve(void closed.push('database')));
    closing.add('hanging', () => new Promise(() => undefined), 20);
    closing.add('failing', () => Promise.reject(new Error('broken')));
    await expect(closing.run()).rejects.toThrow('not closed in order: failing, hanging');
    expect(closed).toEqual(['database']);
  });
});
