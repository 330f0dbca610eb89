import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWithChromium, eventually } from '@sinebar/testing';
import { accessibilityProblems, consolePicture, contentShown, fixTimes, type WatchedPage } from '@sinebar/testing/browser';
import { ReverseProxy } from '@sinebar/distributed';
import { demoPictures } from '@sinebar/program/demo';
import type { Locator, Page } from 'playwright-core';
import { named, pathOf, START_LIMIT_MS, startDemoConsole, type DemoConsole } from './demo-console.fixture.ts';
import { viewedFiles } from './viewed-files.fixture.ts';
import { describeWithFont, differenceFromStored } from './picture-difference.fixture.ts';

const LIMIT_MS = 60_000;
/** Longest wait for content, ms: other tests use the processors too. */
const CONTENT_MS = 30_000;
/** Share of a picture that may differ: times and durations. */
const LOOK_TOLERANCE = 0.01;
const TABLET = { width: 768, height: 1024 };
const PHONE = { width: 390, height: 844 };
const TWIST = 'Frame twist';
/** Files whose viewers have controls of their own. */
const CHECKED_VIEWS = ['plate.stl', 'two.pdf', 'limits.csv'];
/** What each file of `viewedFiles` shows. */
const VIEWS: Readonly<Record<string, (dialog: Locator) => Locator>> = {
  'plate.stl': (dialog) => dialog.getByText(/^2 triangles · 40 × 20 × 0 /),
  'plate.glb': (dialog) => dialog.getByText(/^1 triangle · 1 × 0 × 1 /),
  'cut.stl': (dialog) => dialog.getByText(/^This model is damaged/),
  'two.pdf': (dialog) => dialog.getByText('Second page'),
  'locked.pdf': (dialog) => dialog.getByLabel('Password'),
  'limits.csv': (dialog) => dialog.getByRole('cell', { name: '125,434' }),
  'notes.txt': (dialog) => dialog.getByText('Nest 3 is worn.'),
};
/** Buttons of a dialog that lie beyond the window. */
const BEYOND = `[...document.querySelectorAll('[role=dialog] button')].filter((e) => e.getBoundingClientRect().right > innerWidth)
  .map((e) => e.textContent)`;
const door = () => named('Car door').uuid;

/** Every page: its path below `/console/`, its heading, and content that comes from the server. */
const PAGES: readonly [name: string, path: () => string, heading: RegExp, content: RegExp][] = [
  ['start', () => '', /1 of 232 characteristics is out of tolerance/, /Frame twist/],
  ['part', () => `parts/${door()}`, /Car door/, /Hinge hole 11/],
  ['measurements of a part', () => `parts/${door()}/measurements`, /Measurements/, /measurements, newest first/],
  ['values to enter', () => `parts/${named('Seal ring').uuid}/entry`, /Enter values/, /Save measurement/],
  ['files of a part', () => `parts/${door()}/files`, /Files/, /car-door\.jpg/],
  ['plan of a part', () => `parts/${door()}/plan`, /Plan of Car door/, /Parts below/],
  ['plan of a characteristic', () => `${pathOf(TWIST)}/plan`, /Frame twist/, /Lower tolerance/],
  ['import', () => 'import', /Import files/, /Drop files here|Choose files/],
  ['characteristic', () => pathOf(TWIST), /Frame twist/, /No, it drifts/],
  ['chart', () => `${pathOf(TWIST)}/chart`, /Frame twist/, /Freeze from the view/],
  ['measurements of a characteristic', () => `${pathOf(TWIST)}/measurements`, /Measurements/, /measurements, newest first/],
  ['files of a characteristic', () => `${pathOf(TWIST)}/files`, /Files/, /No file is here yet|Drop files here/],
  [
    'comparison',
    () => `compare?characteristics=${named('Gap A-pillar 01').uuid},${named('Gap A-pillar 02').uuid}`,
    /2 characteristics compared/,
    /Spearman/,
  ],
  ['empty comparison', () => 'compare', /Compare/, /Add from the plan/],
  ['measurements', () => 'measurements', /Measurements/, /measurements, newest first/],
  ['files', () => 'files', /Files/, /car-door\.jpg/],
  ['reports', () => 'reports', /Reports/, /No report is kept yet/],
  ['alarms', () => 'alarms', /Alarms/, /No alarm is open|newest first|the newest/],
  ['alarms that nobody was told of', () => 'alarms?told=untold', /Alarms/, /newest first|the newest/],
  ['schedules of reports', () => 'reports/schedules', /Schedules of reports/, /No report is made by schedule yet/],
  ['live', () => 'live', /Live/, /Events per second/],
  ['attribute definitions', () => 'administration/definitions', /Attributes of parts/, /Part number/],
  ['catalogs', () => 'administration/catalogs', /Catalogs/, /Machine/],
  ['subscriptions', () => 'administration/subscriptions', /Subscriptions/, /Nobody is told yet/],
  ['messages', () => 'administration/deliveries', /Messages/, /No message was sent yet/],
  ['health', () => 'administration/health', /Health/, /inspection/],
  ['rights', () => 'administration/rights', /Rights|Who may what/, /everybody|everyone|everything/i],
  ['unknown address', () => 'nowhere', /There is no such page/, /To the parts/],
];

describeWithChromium('the console on the demo', () => {
  let demo: DemoConsole;
  let watched: WatchedPage;
  let page: Page;
  const use = (opened: WatchedPage) => {
    watched = opened;
    ({ page } = opened);
    page.setDefaultTimeout(CONTENT_MS);
  };
  const goto = async (path: string, base = demo.url) => {
    await page.goto(`${base}/console/${path}`);
    await contentShown(page);
  };
  const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const text = (content: RegExp | string) => page.getByText(content).first().waitFor();

  beforeAll(async () => {
    demo = await startDemoConsole();
  }, START_LIMIT_MS);
  afterAll(() => demo?.stop(), LIMIT_MS);

  describe('has pages without errors, policy violations and barriers', () => {
    // One context for all: the browser loads the scripts once.
    beforeAll(async () => use(await demo.open()), LIMIT_MS);
    afterAll(() => watched?.close());
    afterEach(() => expect(watched.problems.splice(0)).toEqual([]));

    it.each(PAGES)(
      '%s',
      async (_name, path, wanted, content) => {
        await page.setViewportSize({ width: 1440, height: 900 });
        await goto(path());
        await heading(wanted);
        await text(content);
        // The frame is the same on every page: the first one checks it.
        const within = path() === '' ? 'html' : 'main';
        expect(await accessibilityProblems(page, within)).toEqual([]);
        await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
        expect(await accessibilityProblems(page, within, ['color-contrast'])).toEqual([]);
        await page.setViewportSize(TABLET);
        await contentShown(page);
        expect(await accessibilityProblems(page, within, ['target-size', 'button-name', 'link-name', 'label'])).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      },
      LIMIT_MS,
    );
  });

  // `npm run pictures` takes the pictures of the documentation again, where a change of a page is wanted.
  describeWithFont('has pages that look as on the pictures of the documentation', () => {
    beforeAll(async () => {
      use(await demo.open({ timezoneId: 'UTC' }));
      await fixTimes(page);
    }, LIMIT_MS);
    afterAll(() => watched?.close());

    it.each(demoPictures().map((picture) => [picture.name, picture] as const))(
      '%s',
      async (name, picture) => {
        const taken = await consolePicture(page, demo.url, picture);
        expect(await differenceFromStored(name, taken)).toBeLessThan(LOOK_TOLERANCE);
      },
      LIMIT_MS,
    );
  });

  describe('is used', () => {
    beforeEach(async () => use(await demo.open()), LIMIT_MS);
    afterEach(async () => {
      await watched.close();
      expect(watched.problems).toEqual([]);
    });

    it(
      'by the keyboard alone: the palette, the filter, the tree, a chart, the sections, and back',
      async () => {
        await goto('');
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
        await page.keyboard.type('frame tw');
        await page.getByRole('option', { name: TWIST }).waitFor();
        await page.keyboard.press('Enter');
        await heading(/Frame twist/);

        // The chart is one stop of the tab key; arrows step through its points.
        await text('No, it drifts');
        const chart = page.getByRole('application', { name: /Individuals/ });
        await chart.focus();
        await page.keyboard.press('ArrowLeft');
        await chart.getByText(/1 Apr/).first().waitFor({ state: 'attached' });

        await page.keyboard.press('/');
        await page.keyboard.type('hinge pin');
        // The list follows the typed text with a delay: until then its links may be replaced, and the focus would be lost with one.
        const found = page.getByRole('navigation', { name: 'Plan' }).getByRole('link');
        await found.filter({ hasText: 'Hinge pin diameter' }).waitFor();
        await found.nth(1).waitFor({ state: 'detached' });
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await heading(/Hinge pin diameter/);

        await page.getByLabel('Filter the plan').focus();
        await page.keyboard.press('Escape');
        const tree = page.getByRole('tree', { name: 'Plan' });
        await tree.getByRole('treeitem', { name: /Hinge pin diameter/, selected: true }).waitFor();
        await page.keyboard.press('Tab');
        await page.keyboard.type('pump');
        await page.keyboard.press('Enter');
        await heading(/Pump housing/);

        await page.getByRole('heading', { level: 1 }).click();
        await page.keyboard.press('g');
        await page.keyboard.press('l');
        await heading(/Live/);
        await page.goBack();
        await heading(/Pump housing/);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      },
      LIMIT_MS,
    );

    it(
      'on a phone: rare choices open by a button, and the plan by keyboard, which Escape hides again',
      async () => {
        await page.setViewportSize(PHONE);
        await goto(pathOf(TWIST));
        const rules = page.getByRole('button', { name: /^Rules/ });
        await page.getByRole('button', { name: /^Range/ }).waitFor();
        expect(await rules.isVisible()).toBe(false);
        await page.getByRole('button', { name: /^More/, expanded: false }).click();
        await rules.waitFor();

        const plan = page.getByRole('button', { name: 'Plan', exact: true });
        await plan.focus();
        await page.keyboard.press('Enter');
        await page.keyboard.type('pump');
        await page
          .getByRole('navigation', { name: 'Plan' })
          .getByRole('link', { name: /Pump housing/ })
          .first()
          .waitFor();
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await plan.and(page.locator(':focus')).waitFor();
        expect(await page.getByLabel('Filter the plan').isVisible()).toBe(false);
      },
      LIMIT_MS,
    );

    it(
      'leads from the start page to the worst characteristic, its drift, its capability, the photo, an archive, and an address to send',
      async () => {
        await goto('');
        await page.getByRole('heading', { level: 1 }).locator('xpath=..').getByRole('link', { name: TWIST }).click();
        await heading(/Frame twist/);
        await text('No, it drifts');
        await text(/No, Ppk 0\.22/);

        // Another one is normal, so that its index has an interval.
        await goto(pathOf('Gap A-pillar 02'));
        await text(/^95.% interval$/);

        await goto(`parts/${door()}`);
        await page.getByRole('link', { name: 'Files', exact: true }).last().click();
        await page.getByRole('button', { name: /car-door\.jpg/ }).click();
        const photo = page.getByRole('figure').getByRole('img').first();
        await photo.waitFor();
        await eventually(async () => (await photo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)) > 0);

        await page.getByRole('button', { name: /inspection-plan\.zip/ }).click();
        await page.getByRole('treeitem', { name: 'README.txt' }).click();
        await text(/first lines/);
        await page.locator('pre').getByText(/\S/).first().waitFor();

        const address = page.url();
        const other = await demo.open();
        await other.page.goto(address);
        await other.page.getByRole('treeitem', { name: 'README.txt', selected: true }).waitFor({ timeout: CONTENT_MS });
        await other.close();
        expect(other.problems).toEqual([]);
      },
      LIMIT_MS,
    );

    it(
      'shows files of every kind, and says why one cannot be shown',
      async () => {
        const { uuid } = named('Seal ring');
        const names = viewedFiles.map(({ fileName }) => fileName);
        await Promise.all(viewedFiles.map((file) => demo.client.rawData.upload({ entity: 'Part', uuid }, file)));
        const dialog = page.getByRole('dialog');
        const shown: Record<string, string> = {};
        for (const { fileName, key } of await demo.client.rawData.listOf({ entity: 'Part', uuid })) {
          const view = VIEWS[fileName];
          if (view === undefined) continue;
          await goto(`parts/${uuid}/files?selected=${encodeURIComponent(`Part/${uuid}/${key}`)}`);
          await page.getByRole('button', { name: 'Open large' }).click();
          await view(dialog).first().waitFor();
          // The others show sentences and texts, as other pages do.
          if (CHECKED_VIEWS.includes(fileName)) expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
          const { width, height } = page.viewportSize()!;
          await page.setViewportSize(PHONE);
          await eventually(async () => expect(await page.evaluate(BEYOND)).toEqual([]), { timeoutMs: CONTENT_MS });
          await page.setViewportSize({ width, height });
          shown[fileName] = 'shown';
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
        expect(Object.keys(shown).sort()).toEqual([...names].sort());
      },
      LIMIT_MS,
    );

    it(
      'shows a value that is written meanwhile without a reload',
      async () => {
        const { uuid, partUuid } = named('Bore diameter 01');
        await goto(`${pathOf('Bore diameter 01')}?follow=true`);
        await page.getByRole('button', { name: /^live/ }).waitFor();
        await text(/^250$/);
        const written = {
          uuid: randomUUID(),
          partUuid,
          attributes: { 4: '2026-05-01T08:00:00Z' },
          characteristics: { [uuid]: { 1: '32.001' } },
        };
        await demo.client.measurements.createWithValues([written]);
        await text(/^251$/);
      },
      LIMIT_MS,
    );

    it(
      'keeps the chosen theme and language over a reload',
      async () => {
        await goto('');
        await page.getByRole('button', { name: 'Dark' }).click();
        await page.getByRole('button', { name: 'DE, auf Deutsch' }).click();
        await heading(/1 von 232 Merkmalen/);
        await page.reload();
        await heading(/1 von 232 Merkmalen/);
        expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      },
      LIMIT_MS,
    );

    it(
      'below a path prefix that a proxy removes',
      async () => {
        const proxy = new ReverseProxy({ plants: { north: { inspection: [demo.url], 'raw-data': [demo.url], events: [demo.url] } } });
        const origin = `http://127.0.0.1:${await proxy.listen(0, '127.0.0.1')}`;
        try {
          await watched.close();
          use(await demo.open({ origins: [origin] }));
          await page.goto(`${origin}/north/`);
          await heading(/characteristics is out of tolerance/);
          expect(page.url()).toBe(`${origin}/north/console/`);
          await page.getByRole('button', { name: /^live/ }).waitFor();
          await page.getByRole('link', { name: TWIST }).first().click();
          await heading(/Frame twist/);
          await page.reload();
          await text('No, it drifts');
        } finally {
          // A page that is open asks on.
          await watched.close();
          await proxy.close(500);
        }
      },
      LIMIT_MS,
    );
  });
});
