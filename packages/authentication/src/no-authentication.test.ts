import { describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { NO_AUTHENTICATION } from './no-authentication.ts';

describe('access mode none', () => {
  it('gives every request all rights without end, whatever credentials it has', async () => {
    expect(NO_AUTHENTICATION.securityEnabled).toBe(false);
    for (const authorization of [undefined, 'Basic !', 'Bearer x']) {
      const signIn = await NO_AUTHENTICATION.authenticate({ authorization, address: '192.0.2.1' });
      expect(signIn).toEqual({ principal: EVERYONE, expiresAt: undefined });
      expect(NO_AUTHENTICATION.renew(signIn)).toEqual(signIn);
    }
  });
});
