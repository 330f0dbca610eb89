import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeUnless } from '../../packages/testing/src/describe-with.ts';
import { ScriptError } from '../command.mjs';
import { bundleOf, makeTrialKeys } from './signature.mjs';
import { findTool } from './tools.mjs';

const cosign = await findTool('cosign');

describeUnless(
  cosign ? undefined : 'no cosign; node scripts/launch.mjs scripts/release/tools.mjs cosign builds it',
  'a signed package',
  () => {
    let folder;
    let keys;
    let file;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sinebar-signature-'));
      keys = await makeTrialKeys(cosign);
      file = join(folder, 'sinebar.tgz');
      writeFileSync(file, 'the package');
      await keys.signFile(file);
    });
    afterAll(() => {
      keys?.remove();
      rmSync(folder, { recursive: true });
    });

    it('is verified with its bundle', async () => {
      await keys.verifyFile(file);
    });

    it('is refused when a byte of it was changed', async () => {
      const changed = join(folder, 'changed.tgz');
      copyFileSync(file, changed);
      appendFileSync(changed, '!');
      await expect(keys.verifyFile(changed, bundleOf(file))).rejects.toThrow(ScriptError);
      await expect(keys.verifyFile(changed, bundleOf(file))).rejects.toThrow('invalid signature');
    });

    it('is refused when it was signed with the key of another', async () => {
      const others = await makeTrialKeys(cosign);
      await expect(others.verifyFile(file)).rejects.toThrow('invalid signature');
      others.remove();
    });
  },
);
