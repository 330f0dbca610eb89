import { describe, expect, it } from '@jest/globals';
import { Notifier } from './notifier.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('Notifier', () => {
  it('ends a wait after its time-out', async () => {
    const notifier = new Notifier();
    await notifier.waitFor(notifier.version, new AbortController().signal, 5);
    expect(notifier.version).toBe(0);
  });

  it.each<[string, (notifier: Notifier, abort: AbortController) => void]>([
    ['notified', (notifier) => notifier.notify()],
    ['aborted', (_notifier, abort) => abort.abort()],
  ])('leaves no timer behind a wait that was %s', async (_name, end) => {
    const notifier = new Notifier();
    const abort = new AbortController();
    const before = timers();
    const waiting = notifier.waitFor(notifier.version, abort.signal, 60_000);
    expect(timers()).toBe(before + 1);
    end(notifier, abort);
    await waiting;
    expect(timers()).toBe(before);
  });

  it('does not wait when it was notified since the version was read', async () => {
    const notifier = new Notifier();
    const { version } = notifier;
    notifier.notify();
    await expect(notifier.waitFor(version, new AbortController().signal)).resolves.toBeUndefined();
  });
});
