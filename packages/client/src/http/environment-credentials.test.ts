import { describe, expect, it } from '@jest/globals';
import { credentialsFromEnvironment } from './environment-credentials.ts';

describe('credentials from the environment', () => {
  it.each([
    [{}, undefined],
    [{ SINEBAR_USER: '', SINEBAR_PASSWORD: '' }, undefined],
    [
      { SINEBAR_USER: 'anna', SINEBAR_PASSWORD: 'p' },
      { username: 'anna', password: 'p' },
    ],
    [{ SINEBAR_TOKEN: 't' }, { token: 't' }],
  ])('are read of %j', (env, expected) => {
    expect(credentialsFromEnvironment(env)).toEqual(expected);
  });

  it.each([
    [{ SINEBAR_USER: 'anna' }, 'and SINEBAR_PASSWORD together'],
    [{ SINEBAR_PASSWORD: 'p' }, 'and SINEBAR_PASSWORD together'],
    [{ SINEBAR_TOKEN: 't', SINEBAR_USER: 'anna', SINEBAR_PASSWORD: 'p' }, 'Set either'],
  ])('are refused as %j', (env, problem) => {
    expect(() => credentialsFromEnvironment(env)).toThrow(problem);
  });
});
