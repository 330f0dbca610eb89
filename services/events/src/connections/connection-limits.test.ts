import { describe, expect, it } from '@jest/globals';
import { ConnectionLimits } from './connection-limits.ts';

describe('limits of connections', () => {
  it('count by user and by address until a connection ends', () => {
    const limits = new ConnectionLimits({ perUser: 2, perAddress: 3 });
    const leave = limits.enter('anna', '::1');
    limits.enter('anna', '::2');
    expect(() => limits.enter('anna', '::3')).toThrow('as many as one user may have');
    limits.enter('bert', '::1');
    limits.enter('carl', '::1');
    expect(() => limits.check('dora', '::1')).toThrow('as many as one address may have');
    leave();
    limits.enter('anna', '::1');
  });

  it('do not count anonymous users, and nothing where they are 0', () => {
    const nameless = new ConnectionLimits({ perUser: 1, perAddress: 3 });
    for (let i = 0; i < 3; i += 1) nameless.enter('', '::1');
    expect(() => nameless.enter('', '::1')).toThrow('This address');
    const open = new ConnectionLimits({ perUser: 0, perAddress: 0 });
    for (let i = 0; i < 100; i += 1) open.enter('anna', '::1');
  });
});
