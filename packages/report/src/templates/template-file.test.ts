import { describe, expect, it } from '@jest/globals';
import { readTemplateFile } from './template-file.ts';

const TEMPLATE = 'for: part\ntitle: Prüfbericht\nsections:\n  - section: cover\n';

function firstProblem(bytes: Uint8Array) {
  const read = readTemplateFile(bytes);
  return 'problems' in read ? read.problems[0] : undefined;
}

describe('the file of a template', () => {
  it('is read as UTF-8, with and without a byte order mark', () => {
    for (const text of [TEMPLATE, `\uFEFF${TEMPLATE}`])
      expect(readTemplateFile(Buffer.from(text))).toMatchObject({ text: TEMPLATE, template: { title: 'Prüfbericht' } });
  });

  it('names the line that is not UTF-8', () => {
    expect(firstProblem(Buffer.from(TEMPLATE, 'latin1'))).toMatchObject({
      line: 2,
      message: expect.stringContaining('Save the template as UTF-8'),
    });
    expect(firstProblem(Buffer.from('title: ü', 'latin1'))).toMatchObject({ line: 1 });
  });

  it('is refused as a whole when it is too long', () => {
    const long = Buffer.from(`${TEMPLATE}${'#'.repeat(100_000)}\n`);
    expect(firstProblem(long)?.message).toContain(`has ${long.length} bytes; at most 100000 are read`);
  });
});
