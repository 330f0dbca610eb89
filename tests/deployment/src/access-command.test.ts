import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sinebarCommand } from '@sinebar/testing';
import { ROOT } from './kubernetes-objects.fixture.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the command access of the image', () => {
  it('makes the hash of a password', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, sinebarCommand('access', 'hash'), {
      input: 'open sesame\n',
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$\S+\n$/);
    expect(status).toBe(0);
  });

  it.each(['docs/access-policy.md', 'docs/kubernetes.md'])('is documented in %s', (page) => {
    expect(read(page)).toMatch(/kubectl .*exec -i deployment\/inspection -- node dist\/sinebar\.js access hash/);
  });
});
