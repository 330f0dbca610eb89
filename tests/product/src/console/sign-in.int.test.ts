import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { PART_RIGHTS } from '@sinebar/access-control';
import { describeWithChromium } from '@sinebar/testing';
import { accessibilityProblems, contentShown, launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { PEOPLE, startSecuredServer, type SecuredServer } from '../secured-server.fixture.ts';

const LIMIT_MS = 120_000;
const CONTENT_MS = 30_000;
/** Argon2id of "feihc", cheap on purpose. */
const PASSWORD = 'feihc';
const HASH = '$argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE';
const POLICY = {
  roles: {
    all: { grants: [{ path: '/', rights: [...PART_RIGHTS] }, { rights: ['policy:write', 'configuration:write'] }] },
    nothing: { grants: [] },
  },
  users: { chief: { password: HASH, roles: ['all'] }, guest: { password: HASH, roles: ['nothing'] } },
  claims: [{ claim: 'groups', value: 'pump', roles: ['all'] }],
};
const PART = { uuid: randomUUID() as string, path: 'P:/Pump/' };
const BORE = { uuid: randomUUID() as string, path: 'PC:/Pump/Bore/' };

describeWithChromium('signing in to the console', () => {
  let server: SecuredServer;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let console: string;

  /** @param expected problems that the test causes, besides the refusal of the first request, which asks whether a sign-in is needed */
  const open = async (path = '', expected = /\b401\b/) => {
    const origins = [console, server.provider.issuer].map((address) => new URL(address).origin);
    // The pages of the provider have no icon.
    watched = await openWatchedPage(browser, { origins, expected: new RegExp(`${expected.source}|favicon`), locale: 'en-GB' });
    ({ page } = watched);
    page.setDefaultTimeout(CONTENT_MS);
    await page.goto(`${console}${path}`);
  };
  const signIn = async (name: string, password: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const signInAtProvider = async ({ name, password }: { name: string; password: string }) => {
    await page.getByRole('button', { name: 'By single sign-on' }).click();
    await page.fill('[name=username]', name);
    await page.fill('[name=password]', password);
    await page.click('button');
    // The page on which a person agrees.
    await page.getByText('The program asks for what belongs to your account.').waitFor();
    await page.click('button');
  };
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startSecuredServer(POLICY, { SINEBAR_VERSIONING: 'on' }, { hasConsole: true }),
      launchChromium(),
    ]);
    console = `http://127.0.0.1:${server.port}/console/`;
    const authorization = `Basic ${Buffer.from(`chief:${PASSWORD}`).toString('base64')}`;
    expect((await server.send('POST', '/dataServiceRest/parts', { authorization }, [PART])).status).toBe(201);
    expect((await server.send('POST', '/dataServiceRest/characteristics', { authorization }, [BORE])).status).toBe(201);
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  }, LIMIT_MS);
  afterEach(async () => {
    await watched.close();
    expect(watched.problems).toEqual([]);
  });

  it(
    'by name and password shows the view of the address, and asks again after a reload',
    async () => {
      await open(`parts/${PART.uuid}`);
      await signIn('chief', 'guess');
      await page.getByText('Name or password is wrong.').waitFor();
      await signIn('chief', PASSWORD);
      await heading('Pump');
      await page.getByRole('button', { name: 'User chief' }).waitFor();
      await page.getByRole('button', { name: /^live/ }).waitFor();
      await page.reload();
      await heading('Sign in to Sinebar');
    },
    LIMIT_MS,
  );

  it(
    'at the provider leads back to the view of the address, without a question after a reload, until one signs out',
    async () => {
      await open(`parts/${PART.uuid}?order=name`);
      await signInAtProvider(PEOPLE.tom);
      await heading('Pump');
      expect(page.url()).toBe(`${console}parts/${PART.uuid}?order=name`);
      await page.getByRole('button', { name: /^live/ }).waitFor();
      await page.reload();
      await heading('Pump');
      await page.getByRole('button', { name: 'User tom' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading('Sign in to Sinebar');
    },
    LIMIT_MS,
  );

  it.each([
    { what: 'values', path: 'entry', field: 'Bore', text: '20.013', save: 'Save measurement', saved: /^Saved at/ },
    { what: 'a plan', path: 'plan', field: 'Name of the part', text: 'Pump', save: /^Save/, saved: 'Saved.', typed: 'Pump 2' },
    { what: 'a note', path: 'notes', field: 'Text', text: 'New seal.', open: ['Write a note'], save: 'Save', saved: 'New seal.' },
    { what: 'a view', path: '', field: 'Name', text: 'Pumps', open: ['User tom', 'Save this view…'], save: 'Save', saved: 'Pump' },
  ])(
    'at the provider, when a session has ended, offers again what was typed: $what',
    async ({ path, field, text, typed = text, open: openers = [], save, saved }) => {
      await open('', /\b40[01]\b/);
      await signInAtProvider(PEOPLE.tom);
      await page.getByRole('button', { name: 'User tom' }).waitFor();
      await page.goto(`${console}parts/${PART.uuid}/${path}`);
      for (const name of openers) {
        await page.getByRole('button', { name }).or(page.getByRole('menuitem', { name })).click();
      }
      const input = page.getByRole('textbox', { name: field, exact: true });
      await input.fill(typed);

      // The provider renews nothing, and the server accepts nothing more.
      const writes = '**/*ServiceRest/**';
      await page.route(writes, (route) =>
        route.request().method() === 'GET'
          ? route.continue()
          : route.fulfill({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, json: { message: 'The token has expired.' } }),
      );
      await page.route(`${server.provider.issuer}/**`, (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 400, json: { error: 'invalid_grant' } }) : route.continue(),
      );
      await page.getByRole('button', { name: save }).click();
      const question = page.getByRole('alertdialog', { name: 'Sign in again' });
      await question.waitFor();
      expect(await page.getByRole('textbox', { name: field, exact: true, includeHidden: true }).first().inputValue()).toBe(typed);
      await page.unrouteAll();
      await question.getByRole('button', { name: 'By single sign-on' }).click();

      await page.getByText('What you typed here before you signed in again is not saved.').waitFor();
      await page.getByRole('button', { name: 'Continue with it' }).click();
      expect(await input.inputValue()).toBe(typed);
      await page.getByRole('button', { name: save }).click();
      await page.getByText(saved).first().waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'User tom' }).waitFor();
      expect(await page.getByText('What you typed here').count()).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'by name and password keeps a mapping, a view and an upload while a session ends, and stores them after the next sign-in',
    async () => {
      // A table without values is no import.
      await open('import', /\b40[01]\b/);
      await signIn('chief', PASSWORD);
      /** Does something that the server refuses at first because the session has ended, and signs in again. */
      const doWhileItEnds = async (request: string, act: () => Promise<void>) => {
        await page.route(request, (route) =>
          route.request().method() === 'GET'
            ? route.continue()
            : route.fulfill({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Sinebar"' }, json: { message: 'Sign in.' } }),
        );
        await act();
        const question = page.getByRole('alertdialog', { name: 'Sign in again' });
        await question.getByText('Your sign-in has expired, or the server no longer accepts it.').waitFor();
        await question.getByText('What you have typed stays, and what you did last continues.').waitFor();
        await page.unroute(request);
        await question.getByLabel('Name').fill('chief');
        await question.getByLabel('Password').fill(PASSWORD);
        await question.getByRole('button', { name: 'Sign in', exact: true }).click();
        await question.waitFor({ state: 'detached' });
      };
      const content = Buffer.from('part;time;Bore\nPump;2026-03-02T08:00:00Z;20.01\n');
      const table = { name: 'bores.csv', mimeType: 'text/csv', buffer: content };
      await page.locator('input[type=file]').last().setInputFiles(table);
      const holds = page.getByLabel('What Bore holds');
      await holds.selectOption('nothing');
      await page.getByLabel('Keep this mapping as').fill('bores');
      await doWhileItEnds('**/exchangeServiceRest/mappings/**', () => page.getByRole('button', { name: 'Keep', exact: true }).click());
      await page.getByText('Kept as bores.').waitFor();
      expect(await holds.inputValue()).toBe('nothing');

      await page.getByRole('button', { name: 'User chief' }).click();
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
      const view = page.getByRole('dialog', { name: 'Save this view' });
      await view.getByLabel('Name').fill('My imports');
      await doWhileItEnds('**/analysisServiceRest/views/**', () => view.getByRole('button', { name: 'Save' }).click());
      await view.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Remove bores.csv' }).click();
      await page.getByRole('link', { name: 'Parts', exact: true }).first().click();
      await page.getByRole('link', { name: 'My imports' }).waitFor();
      await page.evaluate(
        `history.pushState(null, '', '${console}parts/${PART.uuid}/files'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await doWhileItEnds('**/rawDataServiceRest/**', () => page.locator('input[type=file]').setInputFiles(table));
      await page.getByText('bores.csv').first().waitFor();
      await page.getByRole('button', { name: 'Open', exact: true }).waitFor();
    },
    LIMIT_MS,
  );

  it(
    'as a person at the provider whom the policy does not know says that there is nothing to see',
    async () => {
      await open('', /\b40[13]\b/);
      await signInAtProvider(PEOPLE.olga);
      await heading('There is no part that you may see.');
    },
    LIMIT_MS,
  );

  it(
    'leads to pages without barriers that only a server with people and versions has: the policy, and the history of a part',
    async () => {
      await open('administration/rights');
      await signIn('chief', PASSWORD);
      await page.getByLabel('Whose rights').selectOption('guest');
      await contentShown(page);
      expect(await accessibilityProblems(page, 'html')).toEqual([]);
      await page.goto(`${console}parts/${PART.uuid}/plan`);
      await signIn('chief', PASSWORD);
      await page.getByRole('button', { name: 'Show the history' }).click();
      await page.getByRole('table', { name: 'History' }).waitFor();
      expect(await accessibilityProblems(page, 'html')).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'as a person without rights says which right is missing, on the start page and at the address of a part',
    async () => {
      await open('', /\b40[13]\b/);
      await signIn('guest', PASSWORD);
      await heading('There is no part that you may see.');
      await page.getByText('Ask the administrator for the right plan:read on your parts.').waitFor();
      await page.goto(`${console}parts/${PART.uuid}`);
      await signIn('guest', PASSWORD);
      await page
        .getByRole('alert')
        .getByText(/plan:read|may not/)
        .first()
        .waitFor();
    },
    LIMIT_MS,
  );

  it(
    'as a person whose rights are taken away while a page is open says which right is missing, in the place of what was shown',
    async () => {
      await open(`parts/${PART.uuid}/plan`, /\b40[13]\b/);
      await signIn('chief', PASSWORD);
      await heading('Plan of Pump');
      await server.changePolicy({ ...POLICY, users: { chief: { password: HASH, roles: ['nothing'] } } });
      try {
        await page.getByRole('link', { name: 'Measurements', exact: true }).last().click();
        await page
          .getByRole('alert')
          .getByText(/measurement:read|plan:read/)
          .first()
          .waitFor();
        // What was read before is asked for again when the reader comes back to the window.
        await page.clock.install();
        await page.clock.fastForward(60_000);
        await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
        await page.getByRole('alert').getByText('plan:read').first().waitFor();
        // The alert and the tree are answers of two requests.
        await page.getByRole('navigation', { name: 'Plan' }).getByText('Pump').first().waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'User chief' }).waitFor();
      } finally {
        await server.changePolicy(POLICY);
      }
    },
    LIMIT_MS,
  );
});
