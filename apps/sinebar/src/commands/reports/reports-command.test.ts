import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { typed } from '../../running-sinebar.fixture.ts';
import { reportsCommand } from './reports-command.ts';

describe('npm run sinebar -- reports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-reports-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ours.yaml');

  it('prints templates that it finds valid', async () => {
    const { code, stdout } = await typed(reportsCommand, ['template', 'part'], {});
    expect(code).toBe(0);
    writeFileSync(file, stdout);
    expect(await typed(reportsCommand, ['check', file], {})).toMatchObject({ code: 0, stdout: `${file} is a valid template.\n` });
  });

  it('says what is wrong in one, with its line', async () => {
    writeFileSync(file, 'title: Ours\nfor: part\nsections:\n  - section: characteristics\n    columns: [nmae]\n');
    const { code, stdout } = await typed(reportsCommand, ['check', file], {});
    expect(code).toBe(1);
    expect(stdout).toContain(`${file}:5:15: There is no column "nmae".`);
  });

  it('refuses a template that is not UTF-8', async () => {
    writeFileSync(file, Buffer.from('for: part\ntitle: Prüfbericht\n', 'latin1'));
    const { code, stdout } = await typed(reportsCommand, ['check', file], {});
    expect(code).toBe(1);
    expect(stdout).toContain(`${file}:2:1: The line is not UTF-8.`);
  });

  it.each([
    [['check', join(folder, 'none.yaml')], 1, `There is no file ${join(folder, 'none.yaml')}.`],
    [['check', join(file, 'none.yaml')], 1, 'There is no file '],
    [['check', folder], 1, `${folder} is a folder. Name a YAML file in it.`],
    [['check', '/dev/null'], 1, '/dev/null is not a file. Name a YAML file.'],
    [['check'], 2, 'Missing: FILE.'],
    [['check', file, file], 2, `check takes one FILE. Not understood: ${file}.`],
    [['template', 'prat'], 1, 'There is no template prat: part,'],
    [['template'], 2, 'Missing: NAME. The templates are part, characteristic,'],
    [['template', 'part', 'alarms'], 2, 'template takes one NAME. Not understood: alarms.'],
    [['chek', file], 2, 'There is no action chek: check, template.'],
    [['toString', file], 2, 'There is no action toString: check, template.'],
    [[], 2, 'Missing: an action, which is check FILE or template NAME.'],
  ])('says what to change (%#)', async (words, exitCode, text) => {
    const { code, stdout, stderr } = await typed(reportsCommand, words, {});
    expect(code).toBe(exitCode);
    expect(stdout).toBe('');
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/E[A-Z]{4,}| at /);
  });

  it('names the templates in its help', async () => {
    const { code, stdout } = await typed(reportsCommand, ['template', '--help'], {});
    expect(code).toBe(0);
    expect(stdout).toContain('part, characteristic, measurement');
  });

  it('refuses a template that is too long', async () => {
    writeFileSync(file, '#'.repeat(100_001));
    const { code, stdout } = await typed(reportsCommand, ['check', file], {});
    expect(code).toBe(1);
    expect(stdout).toContain(`${file}:1:1: The template has 100001 bytes; at most 100000 are read. Shorten it.`);
  });
});
