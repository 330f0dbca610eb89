import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lineOf, PolicyTextError, readPolicyText } from './policy-text.ts';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$2YpVSh3pWL2JsCIbDHsmrqx5pnMHuRJDyvKSnr5yF7w';
const POLICY = `roles:
  inspector:
    grants:
      - path: /Pump
        rights: [plan:read, measurement:read]
  # may define attributes
  administrator:
    grants:
      - rights: [configuration:write]
users:
  ada:
    password: ${HASH}
    roles: [inspector]
  007: { password: '${HASH}', roles: [inspector, administrator] }
`;

function refusal(text: string): string {
  try {
    readPolicyText(text);
  } catch (error) {
    if (error instanceof PolicyTextError) return error.message;
    throw error;
  }
  return 'taken';
}

describe('policy in YAML', () => {
  it('is read with hashes without quotes and names of digits', () => {
    const policy = readPolicyText(POLICY);
    expect(policy.users.map(({ name, roles }) => [name, roles])).toEqual([
      ['ada', ['inspector']],
      ['007', ['inspector', 'administrator']],
    ]);
    expect(policy.userNamed('ada')?.password).toBe(HASH);
  });

  it('is also read from JSON', () => {
    expect(readPolicyText('{"roles": {"r": {"grants": [{"path": "/A", "rights": ["plan:read"]}]}}}').users).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    [
      'an unknown right',
      POLICY.replace('measurement:read', 'measurement:see'),
      /^line 5: roles\.inspector\.grants\[0\]\.rights\[1\]: is no right; the rights are/,
    ],
    [
      'an unknown role',
      POLICY.replace('roles: [inspector]\n', 'roles: [inspektor]\n'),
      /^line 13: users\.ada\.roles\[0\]: there is no role "inspektor"/,
    ],
    ['a duplicate user', `${POLICY}  ada:\n    password: ${HASH}\n    roles: []\n`, /^line 15: this name stands here for the second time$/],
    [
      'a bad path',
      POLICY.replace('/Pump', '/Pump//x'),
      /^line 4: roles\.inspector\.grants\[0\]\.path: A name is empty \(at character 7\)\.$/,
    ],
    ['a missing member', POLICY.replace(/ {4}password:.*\n/, ''), /^line 11: users\.ada\.password: is missing/],
    ['a member too many', POLICY.replace('  ada:\n', '  ada:\n    admin: true\n'), /^line 12: users\.ada\.admin: is not known here$/],
    ['a text that is no YAML', 'roles: [', /^line 1: is not YAML: /],
    ['a tab in the indentation', 'roles:\n\tr: {}\n', /^line 2: is not YAML: /],
    ['two documents', 'roles: {}\n---\nroles: {}\n', /^line 2: is not YAML: /],
    ['an empty file', '', /^line 1: must be a mapping with roles/],
    ['a file cut off', POLICY.slice(0, 12), /^line 1: roles: must be a mapping/],
  ])('is refused for %s, with the line', (_what, text, expected) => {
    expect(refusal(text)).toMatch(expected);
  });

  it('reports all problems in the order of their lines, up to a limit', () => {
    const two = POLICY.replace('/Pump', 'Pump').replace('roles: [inspector]\n', 'roles: [clerk]\n');
    expect(
      refusal(two)
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual(['line 4', 'line 13']);
    const many = `roles: {}\nusers:\n${Array.from({ length: 500 }, (_, i) => `  u${i}: {}\n`).join('')}`;
    expect(refusal(many).split('\n')).toHaveLength(20);
  });

  it('is refused when aliases expand without limit', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`);
    expect(refusal(`a0: &a0 [x]\n${levels.join('\n')}\nroles: {}\n`)).toMatch(/is not YAML/);
  });

  it('finds the line of a grant', () => {
    expect(lineOf(POLICY, ['roles', 'administrator', 'grants', 0])).toBe(9);
  });

  it.each(['infra/access/policy.example.yaml', 'docs/access-policy.md'])('accepts the examples of %s', (file) => {
    const text = readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');
    const examples = file.endsWith('.md')
      ? [...text.matchAll(/```yaml\n(roles:[^`]*)```/g)].map(([, example]) => example as string)
      : [text];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(refusal(example)).toBe('taken');
  });
});
