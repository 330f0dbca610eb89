import { writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PasswordVerifier } from '../basic/password-hash.ts';
import { PolicyFile } from '../policy-files.fixture.ts';
import { runAccessCommand } from './access-command.ts';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$2YpVSh3pWL2JsCIbDHsmrqx5pnMHuRJDyvKSnr5yF7w';
const POLICY = `roles:
  inspector:
    grants:
      - path: /Pump
        rights: [plan:read, measurement:read]
  chief:
    grants:
      - path: /
        rights: [plan:read]
      - rights: [catalog:write]
  gauge:
    grants:
      - path: /Pump
        rights: [measurement:write]
users:
  ada: { password: '${HASH}', roles: [inspector, chief] }
  bob: { password: '${HASH}', roles: [inspector] }
  gil: { password: '${HASH}', roles: [gauge] }
  eve: { password: '${HASH}', roles: [] }
claims:
  - { claim: groups, value: qa, roles: [inspector] }
`;

describe('npm run sinebar -- access', () => {
  let file: PolicyFile;
  beforeEach(() => {
    file = new PolicyFile({});
    file.write(POLICY);
  });
  afterEach(() => file.remove());

  async function run(args: string[], input = '', env: Record<string, string> = { SINEBAR_ACCESS_POLICY: file.path }) {
    const output: string[] = [];
    let problems = '';
    const code = await runAccessCommand(args, env, {
      input: Readable.from([Buffer.from(input)]),
      output: (line) => output.push(line),
      errors: new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          problems += chunk.toString();
          done();
        },
      }),
    });
    return { code, output: output.join('\n').replaceAll(file.path, 'FILE'), problems: problems.replaceAll(file.path, 'FILE') };
  }

  it.each<[string, string, number, string]>([
    [
      'a user on a part',
      'ada /Pump plan:read',
      0,
      'yes: ada may plan:read on /Pump\n  by the grant of role inspector on /Pump and below, FILE line 4\n  by the grant of ' +
        'role chief on / (the whole plan), FILE line 8',
    ],
    [
      'a user below a part',
      'bob /pump/Housing measurement:read',
      0,
      'yes: bob may measurement:read on /pump/Housing\n  by the grant of role inspector on /Pump and below, FILE line 4',
    ],
    [
      'a characteristic',
      'bob PC:/Pump/Diameter/ measurement:read',
      0,
      'yes: bob may measurement:read on PC:/Pump/Diameter/\n  by the grant of role inspector on /Pump and below, FILE line 4',
    ],
    [
      'a part whose name only begins alike',
      'bob /Pumpe plan:read',
      1,
      'no: bob may not plan:read on /Pumpe: no grant of role inspector says so',
    ],
    [
      'a right that is not granted',
      'ada /Pump plan:write',
      1,
      'no: ada may not plan:write on /Pump: no grant of roles inspector, chief says so',
    ],
    [
      'a right on the server',
      'ada catalog:write',
      0,
      'yes: ada may catalog:write\n  by the grant of role chief on the whole server, FILE line 10',
    ],
    [
      'a right that another one includes',
      'gil /Pump note:write',
      0,
      'yes: gil may note:write on /Pump\n  by the grant of role gauge on /Pump and below, FILE line 13',
    ],
    ['a right on the server, with a path', 'bob / catalog:write', 1, 'no: bob may not catalog:write: no grant of role inspector says so'],
    ['a user without roles', 'eve / plan:read', 1, 'no: eve may not plan:read on /: no role'],
    ['somebody who is not there', 'mallory / plan:read', 1, 'no: mallory may not plan:read on /: there is no such user'],
  ])('explain prints the rights of %s', async (_what, args, code, output) => {
    expect(await run(['explain', ...args.split(' ')])).toEqual({ code, output, problems: '' });
  });

  it('explain prints the rights that the claims of a token give', async () => {
    const claims = `${file.path}.claims`;
    writeFileSync(claims, JSON.stringify({ groups: ['qa'] }));
    expect(await run(['explain', '--claims', claims, '/Pump', 'plan:read'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('yes: a token with these claims may plan:read'),
    });
    writeFileSync(claims, '{}');
    expect(await run(['explain', '--claims', claims, '/Pump', 'plan:read'])).toMatchObject({ code: 1 });
  });

  it.each<[string, string[], RegExp]>([
    ['no command', [], /^Name a command\./],
    ['an unknown command', ['grant'], /There is no command grant\./],
    ['no right', ['explain', 'ada', '/Pump'], /\/Pump is no right\. The rights are plan:read/],
    ['no path for a right on parts', ['explain', 'ada', 'plan:read'], /plan:read is a right on parts\. Name a part/],
    ['a bad path', ['explain', 'ada', '/Pump//x', 'plan:read'], /is no path of a part: A name is empty/],
    ['too much', ['explain', 'ada', '/a', '/b', 'plan:read'], /explain takes a user/],
    ['an option without its file', ['check', '--policy'], /--policy needs the path of a file/],
    ['a policy that is not there', ['check', '--policy', '/nowhere'], /^\/nowhere cannot be read \(ENOENT\)\n$/],
    ['claims that are no JSON', ['explain', '--claims', '/nowhere', '/', 'plan:read'], /\/nowhere cannot be read as JSON/],
    ['a password as argument', ['hash', 'open-sesame'], /A password on the command line can be read by others/],
  ])('ends with 2 for %s', async (_what, args, sentence) => {
    const { code, output, problems } = await run(args);
    expect(code).toBe(2);
    expect(output).toBe('');
    expect(problems).toMatch(sentence);
    expect(problems).not.toContain('open-sesame');
  });

  it('requests the path of the policy when none is given', async () => {
    expect(await run(['check'], '', {})).toMatchObject({
      code: 2,
      problems: expect.stringContaining('Give --policy FILE or set SINEBAR_ACCESS_POLICY'),
    });
  });

  it('check reports whether a policy is valid', async () => {
    expect(await run(['check'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^FILE can be in force: 4 users, version \w{16}$/),
    });
    file.write(POLICY.replace('/Pump', 'Pump').replace('roles: []', 'roles: [clerk]'));
    const { code, problems } = await run(['check', '--policy', file.path]);
    expect(code).toBe(2);
    expect(problems).toMatch(/^FILE, line 4: .*does not begin with "\/".*\nFILE, line 19: .*there is no role "clerk"/);
  });

  it('hash reads the password from standard input and prints only the hash', async () => {
    const { code, output } = await run(['hash'], 'pâté de foie\r\nmore\n');
    expect(code).toBe(0);
    expect(await new PasswordVerifier().verify(output, 'pâté de foie')).toBe(true);
    expect(await run(['hash'], '')).toMatchObject({ code: 2, output: '' });
    expect(await run(['hash'], '\n')).toMatchObject({ code: 2, output: '' });
  });

  it('schema prints a schema with the members of the policy of this test', async () => {
    const { code, output } = await run(['schema']);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ properties: { roles: {}, users: {}, claims: {} } });
  });
});
