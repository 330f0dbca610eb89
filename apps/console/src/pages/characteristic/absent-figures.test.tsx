import { describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { summaryAnswer } from '../../testing/analysis-answers.fixture';
import { withElementWidth } from '../../testing/element-size.fixture';
import { renderPage } from '../../testing/render.fixture';
import { ADDRESS, ANALYSIS, server } from './page-server.fixture';

withElementWidth(1152);

describe('where a figure is absent, its cause', () => {
  const answer = (change: (summary: ReturnType<typeof summaryAnswer>) => object) => {
    const { capability: _, ...rest } = summaryAnswer();
    const { since: _since, reasons: _reasons, ...others } = rest.assessment;
    const unknown = { ...others, stable: 'unknown', normal: 'unknown', capable: 'unknown' };
    return server({ [`${ANALYSIS}/summary`]: () => ({ ...rest, assessment: unknown, ...change(summaryAnswer()) }) });
  };
  it.each([
    [
      'equal values',
      () => ({ minimum: 20, maximum: 20 }),
      'all 40 values are equal: is the gauge stuck?',
      'alle 40 Werte sind gleich: klemmt das Messmittel?',
    ],
    [
      'crossed limits',
      () => ({ limits: { lowerTolerance: 20.05, upperTolerance: 19.95, sources: {} } }),
      'the lower limit is not below the upper one: correct the plan',
      'die untere Grenze liegt nicht unter der oberen: den Plan berichtigen',
    ],
    ['missing limits', () => ({ limits: { sources: {} } }), 'capability needs a tolerance limit', 'Fähigkeit braucht eine Toleranzgrenze'],
    ['too few values', () => ({ count: 1 }), 'needs 2 values', 'braucht 2 Werte'],
    [
      'too few subgroups',
      () => ({ chart: { ...summaryAnswer().chart, type: 'xbarR', subgroupSize: 5 } }),
      'needs 10 subgroups',
      'braucht 10 Stichproben',
    ],
    [
      'no baseline',
      () => ({ chart: undefined }),
      'no value lies in the time that the limits follow from',
      'kein Wert liegt in der Zeit, aus der die Grenzen folgen',
    ],
    ['words', () => ({ count: 0, missing: 40 }), 'These values are no numbers.', 'Diese Werte sind keine Zahlen.'],
  ])('%s has its own sentence in both languages', async (_, change, english, german) => {
    await renderPage(ADDRESS, { server: answer(change) });
    expect((await screen.findAllByText(english)).length).toBeGreaterThan(0);
    cleanup();
    await renderPage(ADDRESS, { server: answer(change), language: 'de' });
    expect((await screen.findAllByText(german)).length).toBeGreaterThan(0);
  });
  it.each([
    ['en', 'No measurement meets the condition. Change or release it.'],
    ['de', 'Keine Messung erfüllt die Bedingung. Ändern oder entfernen Sie sie.'],
  ] as const)('a condition without hits has its own sentence: %s', async (language, sentence) => {
    await renderPage(`${ADDRESS}?condition=${encodeURIComponent('14=[x]')}`, { server: answer(() => ({ count: 0 })), language });
    expect(await screen.findByText(sentence)).toBeDefined();
  });
});
