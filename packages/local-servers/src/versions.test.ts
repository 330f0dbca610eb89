import { describe, expect, it } from '@jest/globals';
import { isAtLeast, parseVersion } from './versions.ts';

describe('versions of programs', () => {
  it.each([
    ['nats-server: v2.9.10', [2, 9, 10]],
    ['nats-server: v2.15.2\n', [2, 15, 2]],
    ['nats-server: 2.10.0-beta.1', [2, 10, 0]],
    ['minio version RELEASE.2025-09-07T16-13-09Z (commit-id=07c3a429bfed)\nRuntime: go1.24.6 linux/amd64', [2025, 9, 7]],
    ['minio version DEVELOPMENT.GOGET (commit-id=DEVELOPMENT.GOGET)\nRuntime: go1.26.8 linux/amd64', 'development'],
    ['Usage: nats-server [options]', undefined],
    ['', undefined],
  ])('reads %j', (output, version) => {
    expect(parseVersion(output)).toEqual(version);
  });

  it.each([
    [[2, 9, 10], false],
    [[2, 10, 0], true],
    [[2, 15, 2], true],
    [[3, 0, 0], true],
    [[1, 99, 99], false],
    ['development' as const, true],
    [undefined, false],
  ])('%j is at least 2.10.0: %j', (version, expected) => {
    expect(isAtLeast(version, [2, 10, 0])).toBe(expected);
  });
});
