import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteSkip, reportFigures } from '@sinebar/testing';
import { ComposeStack, ROOT, VERSION } from '../support/compose-stack.ts';
import { describeWithDocker, seconds } from '../support/engines.ts';
import { Load, unexplained } from '../support/load.ts';

const SUITE = 'an upgrade of the compose stack';
/** Images and files of the last tagged version, or of the commit before the newest migration. */
const version = process.env['SINEBAR_PREVIOUS_VERSION'];
const folder = process.env['SINEBAR_PREVIOUS_FOLDER'];
const WRITES = 200;

if (version === undefined || folder === undefined) {
  noteSkip('no images of an earlier version', SUITE);
  describe.skip(SUITE, () => it('needs SINEBAR_PREVIOUS_VERSION', () => undefined));
} else {
  describeWithDocker(SUITE, () => {
    let stack: ComposeStack;
    let load: Load;

    beforeAll(async () => {
      stack = await ComposeStack.up({ version, folder });
    }, 400_000);
    afterAll(async () => {
      await load?.stop();
      await stack?.down({ volumes: true });
    }, 200_000);

    it('replaces all containers under load and loses nothing', async () => {
      load = await Load.start(stack.url);
      await load.acknowledges(WRITES);
      const startedAt = performance.now();
      await stack.change({ version: VERSION, folder: ROOT });
      const tookMs = performance.now() - startedAt;
      await load.acknowledges(WRITES);
      const { requests, failures } = await load.stop();
      reportFigures(
        `upgrade: ${seconds(tookMs)}, ${load.acknowledged} acknowledged writes, ${failures.length} of ${requests} requests failed`,
      );
      const images = (await stack.containers()).map(({ image }) => image).filter((image) => /^sinebar[/:]/.test(image));
      expect(new Set(images)).toEqual(new Set([`sinebar:${VERSION}`]));
      expect(unexplained(failures)).toEqual([]);
      expect(await load.missing()).toEqual([]);
      expect(await load.eventProblems()).toEqual([]);
    }, 900_000);
  });
}
