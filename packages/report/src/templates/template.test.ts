import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_TEMPLATES, builtInTemplate } from './built-in.ts';
import { readTemplate } from './template.ts';

const TEMPLATE = `title: Our report
for: part
sections:
  - section: characteristics
    columns: [number, name, K2005]
`;

/** Finds the problems of a template, as `line:column sentence`. */
function problemsIn(text: string): string[] {
  const read = readTemplate(text);
  return 'problems' in read ? read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`) : [];
}

describe('a template', () => {
  it.each(BUILT_IN_TEMPLATES)('that the product brings along can be read: %s', (name) => {
    expect(problemsIn(builtInTemplate(name))).toEqual([]);
  });

  it('of a plant is read', () => {
    expect(readTemplate(TEMPLATE)).toMatchObject({ template: { title: 'Our report', orientation: 'portrait' } });
  });

  it.each([
    [TEMPLATE.replace('name,', 'nmae,'), /^5:23 There is no column "nmae"\. Columns are number, name, .*K2005\.$/],
    [TEMPLATE.replace('for: part', 'for: prat'), /^2:1 `for` must be one of part, characteristic, measurement, not "prat"\.$/],
    [TEMPLATE.replace('title: Our report\n', ''), /`title` /],
    [`${TEMPLATE}colour: red\n`, /^6:1 The template has no member `colour`\.$/],
    [TEMPLATE.replace('section: characteristics', 'section: tabel'), /^4:5 .*must be one of cover, summary.* not "tabel"\.$/],
    [TEMPLATE.replace('[number', '[[number'), /^\d+:\d+ /],
    ['', /./],
    ['a: &a [b]\nc: *a\n', /./],
  ])('that is wrong is refused with its line (%#)', (text, message) => {
    const [first = ''] = problemsIn(text);
    expect(first).toMatch(message);
  });
});
