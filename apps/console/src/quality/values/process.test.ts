import { formatsOf } from '@sinebar/charts';
import { describe, expect, it } from '@jest/globals';
import type { PartOverview } from '@sinebar/client';
import { familyText, modelText, processText, sinceText } from './process';
import { processTexts } from './process-texts';

const EN = formatsOf('en');
const DE = formatsOf('de');
const TIME = '2026-05-08T10:00:00.000Z';
const AT = EN.dayTime(TIME);
const STEP = { kind: 'step', on: 'location', time: TIME, measurementUuid: 'm', from: 20.001, to: 20.012 } as const;
const GAP: PartOverview['characteristics'][number] = {
  uuid: 'gap',
  path: 'PC:/Car door/Gap/',
  name: 'Gap',
  count: 5000,
  now: 'inLimits',
  process: 'notStable',
  limits: { sources: {} },
  sparkline: [],
};

describe('since when a process differs', () => {
  it.each([
    [STEP, `the mean went from 20.0010 to 20.0120 on ${AT}`],
    [{ ...STEP, kind: 'drift' }, `the mean has moved from 20.0010 to 20.0120 since ${AT}`],
    [{ ...STEP, kind: 'points' }, `a point is too far out, first on ${AT}`],
    [{ ...STEP, kind: 'points', on: 'variation' }, `the spread is too wide, first on ${AT}`],
  ] as const)('%j is %s', (since, text) => {
    expect(sinceText(since, 4, EN, processTexts.en)).toBe(text);
  });

  it('has a decimal comma in German', () => {
    expect(sinceText(STEP, 4, DE, processTexts.de as typeof processTexts.en)).toContain('von 20,0010 auf 20,0120');
  });
});

describe('status of a process in words', () => {
  it('is the word alone where nothing more is known', () => {
    expect(processText(GAP, 3, EN, processTexts.en)).toBe('not stable');
  });

  it('says since when', () => {
    expect(processText({ ...GAP, since: STEP }, 3, EN, processTexts.en)).toBe(`not stable, the mean went from 20.0010 to 20.0120 on ${AT}`);
  });

  it('says of when it is where the values are newer', () => {
    expect(processText({ ...GAP, process: 'capable', asOf: TIME }, 3, EN, processTexts.en)).toBe(`capable, as of ${AT}`);
  });
});

describe('model of an index', () => {
  it('is named where it is not normal', () => {
    expect(modelText({ ...GAP, model: { name: 'lognormalMirrored', asOf: TIME } }, processTexts.en)).toBe('mirrored lognormal');
    expect(modelText(GAP, processTexts.en)).toBe('');
  });

  it('is one word in tables, also where it is mirrored', () => {
    expect(familyText({ ...GAP, model: { name: 'lognormalMirrored', asOf: TIME } }, processTexts.en)).toBe('lognormal');
    expect(familyText(GAP, processTexts.en)).toBe('');
  });
});
