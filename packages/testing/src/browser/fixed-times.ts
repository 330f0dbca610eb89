import type { Page } from 'playwright-core';

/** The moment at which pictures are taken: a day after the last measurement of the demo. */
const NOW = new Date('2026-04-02T08:30:00Z');
/** The time at which everything was written. */
const WRITTEN = '2026-04-02T06:15:00.000Z';
/** Members of answers that hold the time at which the server wrote something. */
const WRITTEN_TIMES = /"(created|lastModified|timestamp|charChangeDate|\w+Timestamp)":"[^"]+"/g;

/** Gives a page a fixed clock, and everything on it the same time of writing, so that its pictures stay the same. */
export async function fixTimes(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route(/ServiceRest\//, async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback();
    const response = await route.fetch();
    if (response.headers()['content-type']?.includes('json') !== true) return await route.fulfill({ response });
    return await route.fulfill({ response, body: (await response.text()).replaceAll(WRITTEN_TIMES, `"$1":"${WRITTEN}"`) });
  });
}
