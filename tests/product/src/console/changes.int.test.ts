import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWithChromium, eventually } from '@sinebar/testing';
import { accessibilityProblems, contentShown, type WatchedPage } from '@sinebar/testing/browser';
import type { Page } from 'playwright-core';
import { named, pathOf, START_LIMIT_MS, startDemoConsole, type DemoConsole } from './demo-console.fixture.ts';

const LIMIT_MS = 60_000;
/** Longest wait for content, ms: other tests use the processors too. */
const CONTENT_MS = 30_000;
const PART_NUMBER = 1001;

describeWithChromium('the console changes what is stored', () => {
  let demo: DemoConsole;
  let watched: WatchedPage;
  let page: Page;
  const goto = async (path: string) => {
    await page.goto(`${demo.url}/console/${path}`);
    await contentShown(page);
  };

  beforeAll(async () => {
    demo = await startDemoConsole();
  }, START_LIMIT_MS);
  afterAll(() => demo?.stop(), LIMIT_MS);
  beforeEach(async () => {
    watched = await demo.open();
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
  }, LIMIT_MS);
  afterEach(async () => {
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it(
    'shows both sides when somebody else has changed the same attribute, and stores the chosen one',
    async () => {
      const { uuid } = named('Pump housing');
      await goto(`parts/${uuid}/plan`);
      await page.getByRole('button', { name: /^live/ }).waitFor();
      await page.getByRole('textbox', { name: 'Part number' }).fill('P-MINE');
      const { attributes } = await demo.client.parts.get(uuid);
      await demo.client.parts.update([{ uuid, attributes: { ...attributes, [PART_NUMBER]: 'P-THEIRS' } }]);
      // The event of the other change leads to it; nothing can be saved until one side is chosen.
      const conflict = page.getByRole('table', { name: 'Changed by somebody else meanwhile' });
      await conflict.getByText('P-THEIRS').waitFor();
      await conflict.getByText('P-MINE').waitFor();
      expect(await page.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true);
      expect((await demo.client.parts.get(uuid)).attributes).toMatchObject({ [PART_NUMBER]: 'P-THEIRS' });

      await conflict.getByRole('button', { name: 'Keep yours for Part number' }).click();
      await page.getByRole('button', { name: /^Save/ }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      expect((await demo.client.parts.get(uuid)).attributes).toMatchObject({ [PART_NUMBER]: 'P-MINE' });
    },
    LIMIT_MS,
  );

  it(
    'keeps what was typed when the server answers that a name is taken',
    async () => {
      const { uuid } = named('Seal ring');
      await goto(`parts/${uuid}/plan`);
      const name = page.getByRole('textbox', { name: 'Name of the part' });
      await name.fill('Drive shaft');
      await page.getByRole('button', { name: /^Save/ }).click();
      await page.getByText('This name is taken here; give another one.').first().waitFor();
      expect(await name.inputValue()).toBe('Drive shaft');
      expect((await demo.client.parts.get(uuid)).path).toBe('P:/Seal ring/');
      // Chromium reports each answer with an error status.
      expect(watched.problems.splice(0).filter((problem) => !problem.includes('409'))).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'stores the values of a gauge, which types without a pause, as one measurement',
    async () => {
      const part = named('Seal ring');
      const [first, second] = (await demo.client.characteristics.list({ partPath: '/Seal ring' })).map(({ uuid }) => uuid);
      const serialNumber = `SN ${Date.now()}`;
      await goto(`parts/${part.uuid}/entry`);
      await page.getByRole('textbox', { name: 'Serial number' }).fill(serialNumber);
      await page.locator('ol input').first().focus();
      await page.keyboard.type('12,3456\n+00078.90\n');
      await page.getByRole('button', { name: 'Save measurement' }).dblclick();
      await page.getByRole('link', { name: 'Open the measurement' }).waitFor();
      const stored = await demo.client.measurements.searchWithValues({ partUuids: [part.uuid], searchCondition: `14=[${serialNumber}]` });
      expect(stored.map(({ characteristics }) => characteristics)).toEqual([{ [first!]: { 1: '12.3456' }, [second!]: { 1: '78.90' } }]);
    },
    LIMIT_MS,
  );

  it(
    'writes notes about points, with a cause, and shows those of others at once',
    async () => {
      const { uuid } = named('Frame twist');
      await goto(pathOf('Frame twist'));
      const chart = page.getByRole('application', { name: /^Individuals/ });
      await chart.waitFor();
      await page.getByRole('button', { name: /^live/ }).waitFor();
      await demo.client.notes.create({ characteristicUuid: uuid, text: '<b>Coolant</b> too warm.' });
      await page.getByText('<b>Coolant</b> too warm.').waitFor();

      await chart.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('m');
      const dialog = page.getByRole('dialog', { name: 'Write a note' });
      await dialog.getByRole('button', { name: 'Create it with usual causes' }).click();
      await dialog.getByRole('combobox', { name: 'Cause' }).click();
      await page.getByRole('option', { name: /^Tool worn/ }).click();
      await dialog.getByRole('textbox', { name: 'Text' }).fill('Insert changed.');
      expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const [written, ...others] = await demo.client.notes.list({ characteristicUuid: uuid });
      expect(written).toMatchObject({
        text: 'Insert changed.',
        cause: 1,
        causeText: 'Tool worn',
        measurementUuid: expect.any(String) as unknown,
      });
      await page.getByRole('listitem').getByText('Insert changed.').waitFor();
      for (const note of [written!, ...others]) await demo.client.notes.delete(note.uuid);
      await page.getByText('There are no notes here yet.').waitFor();
    },
    LIMIT_MS,
  );

  it(
    'excludes the point that was clicked for everybody, and includes it again in the panel of the evaluation',
    async () => {
      const { uuid } = named('Frame twist');
      await goto(pathOf('Frame twist'));
      const box = (await page.getByRole('application', { name: /^Individuals/ }).boundingBox())!;
      await page.mouse.click(box.x + box.width * 0.3, box.y + 100);
      await page.mouse.move(box.x + box.width * 0.32, box.y + 20, { steps: 4 });
      await page.getByRole('button', { name: 'Exclude', exact: true }).click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('weld spatter');
      await page.getByRole('dialog').getByRole('button', { name: 'Exclude', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { exclusions } = await demo.client.analysis.evaluation({ characteristicUuid: uuid });
      expect(exclusions).toMatchObject([{ reason: 'weld spatter' }]);

      await page.getByRole('button', { name: 'Evaluation', exact: true }).click();
      const panel = page.getByRole('dialog', { name: 'Evaluation of Frame twist' });
      await panel.getByRole('button', { name: /^Include .* again$/ }).click();
      await panel.getByRole('textbox', { name: 'Reason for the change' }).fill('measured again');
      expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
      await panel.getByRole('button', { name: 'Save for everybody' }).click();
      await panel.waitFor({ state: 'detached' });
      expect((await demo.client.analysis.evaluation({ characteristicUuid: uuid })).exclusions).toEqual([]);
    },
    LIMIT_MS,
  );

  describe('from a table', () => {
    const TABLE = 'Probe;Bolt length\n2026-05-02 08:00;40.01\n2026-05-02 08:05;40.03\n';
    const MAPPING = { part: 'Bolt', columns: { Probe: { is: 'time' }, 'Bolt length': { is: 'value', characteristic: 'Length' } } };

    it(
      'whose columns a mapping describes, after it was checked',
      async () => {
        await goto('import?zone=UTC');
        const choose = async (button: string, name: string, mimeType: string, text: string) => {
          const chooser = page.waitForEvent('filechooser');
          await page.getByRole('button', { name: button }).click();
          await (await chooser).setFiles({ name, mimeType, buffer: Buffer.from(text) });
        };
        await choose('From a file…', 'bolt.json', 'application/json', JSON.stringify(MAPPING));
        await page.getByRole('option', { name: 'bolt.json', selected: true }).waitFor({ state: 'attached' });
        await choose('Choose files…', 'bolt.csv', 'text/csv', TABLE);
        await page.getByText('can be imported').waitFor();
        expect((await demo.client.parts.list()).map(({ path }) => path)).not.toContain('P:/Bolt/');
        await page.getByRole('button', { name: 'Import 1 file' }).click();
        await page.getByText('stored', { exact: true }).waitFor();
        await eventually(async () => {
          const [part] = await demo.client.parts.list({ partPath: '/Bolt' });
          const measurements = await demo.client.measurements.search({ partUuids: [part?.uuid ?? ''] });
          return measurements.length === 2;
        });
      },
      LIMIT_MS,
    );
  });
});
