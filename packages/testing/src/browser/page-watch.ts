import { reasonPhraseOf } from '@sinebar/contracts';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { CHROMIUM } from '../chromium.ts';

/** Limit of the start of Chromium, ms: other tests may use all processors. */
const LAUNCH_MS = 120_000;

/** Chromium says so when a page is left while Socket.IO changes from polling to a WebSocket. */
const LEFT_EARLY = /WebSocket is closed before the connection is established/;

/** Chromium says so where it draws WebGL without a graphics card. */
const SLOW_GRAPHICS = /GPU stall due to ReadPixels/;

/** Chromium ends requests when an interface of the machine comes or goes, as those of containers do; the page asks again. */
const OTHER_INTERFACES = /net::ERR_NETWORK_CHANGED/;

/** Reason of a 503 of a busy server, after which the page asks again; a test that waits for the content fails where it does not. */
const OVERLOADED = reasonPhraseOf('Overloaded')!;

/** Errors of Chromium about the machine, not about the page. */
const NO_PROBLEMS = [LEFT_EARLY, SLOW_GRAPHICS, OTHER_INTERFACES, new RegExp(String.raw`a status of 503 \(${OVERLOADED}\)`)];

/** A page whose problems are collected while it is used. */
export interface WatchedPage {
  page: Page;
  /**
   * Errors and warnings of its console, exceptions, violations of its Content-Security-Policy, requests that failed, were answered with a
   * status from 400, or went to another origin. A request that an overloaded server refused is none.
   */
  problems: string[];
  close(): Promise<void>;
}

export interface WatchOptions extends BrowserContextOptions {
  /** Origins that the page may ask. */
  origins: readonly string[];
  /** Problems that the test causes on purpose. */
  expected?: RegExp | undefined;
}

/** Starts the Chromium of this machine. @throws Error where there is none */
export async function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('Chromium is not installed; Debian: apt-get install chromium');
  return await chromium.launch({ ...CHROMIUM, timeout: LAUNCH_MS });
}

/** Opens a page in a context of its own, with an empty storage. */
export async function openWatchedPage(browser: Browser, { origins, expected, ...options }: WatchOptions): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const problems: string[] = [];
  const report = (problem: string) => {
    if (expected?.test(problem) !== true && !NO_PROBLEMS.some((none) => none.test(problem))) problems.push(problem);
  };
  // A violation is no console message when the policy only reports it.
  await context.addInitScript(REPORT_VIOLATIONS);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) report(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => report(`thrown: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The page cancels requests that it no longer needs.
    if (reason !== 'net::ERR_ABORTED') report(`failed: ${request.url()}, ${reason}`);
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !origins.includes(new URL(request.url()).origin)) report(`elsewhere: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && response.statusText() !== OVERLOADED)
      report(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  return { page, problems, close: () => context.close() };
}

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error('policy violated: ' + [violatedDirective, blockedURI, sourceFile, lineNumber].join(' ')))`;
