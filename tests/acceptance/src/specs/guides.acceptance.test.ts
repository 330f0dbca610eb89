import { existsSync, mkdirSync, openAsBlob, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SinebarClient } from '@sinebar/client';
import { sinebarCommand } from '@sinebar/testing';
import { CertifiedProvider } from '@sinebar/testing/providers';
import {
  itWith,
  itWithCSharp,
  itWithPandas,
  LANGUAGES,
  launch,
  PrintedPrograms,
  type RunningProgram,
} from '../support/product/printed-programs.ts';
import { PROGRAMS, ROOT, runToEnd, start, temporaryFolder, type StartedProduct } from '../support/product/product.ts';
import { notedFetch, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { smallestKinds } from '../support/product/variants.ts';

const LIMIT_MS = 120_000;

describe.each(await smallestKinds('the guides'))('the guides, $name', (kind) => {
  const folder = temporaryFolder();
  let variant: Variant;
  let product: StartedProduct;
  let sinebar: SinebarClient;
  let programs: PrintedPrograms | undefined;
  const running: RunningProgram[] = [];
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start();
    sinebar = new SinebarClient({ url: product.url, fetch: notedFetch });
  }, 150_000);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((program) => program.stop()));
    programs?.remove();
    // The programs of a page create the same parts.
    const made = (await sinebar.parts.list()).filter(({ path }) => ['P:/Shaft/', 'P:/Housing/', 'P:/Line/'].includes(path));
    if (made.length > 0) await sinebar.parts.delete({ partUuids: made.map(({ uuid }) => uuid) });
  });
  afterAll(async () => {
    await product.stop();
    await variant.remove();
    folder.remove();
  }, 70_000);

  /** A page, and a new folder with the files that its first steps create. */
  async function page(name: string): Promise<{ programs: PrintedPrograms; cwd: string }> {
    programs = new PrintedPrograms(`docs/guides/${name}.md`, product.url);
    const cwd = join(folder.path, randomUUID());
    mkdirSync(cwd);
    await programs.makeFiles(cwd);
    return { programs, cwd };
  }

  /** Fills the server with the car door, unless it is there. */
  async function fillWithDemo(): Promise<void> {
    const { code, output } = await runToEnd(sinebarCommand('demo'), {}, LIMIT_MS, ['--server', product.url]);
    expect(code).toBe(0);
    expect(output).toMatch(/The (car door|demo) is there/);
  }

  describe('import a thousand measurements', () => {
    for (const { language, fence, needs } of LANGUAGES) {
      itWith(
        needs,
        `in ${language}`,
        async () => {
          const { programs, cwd } = await page('import-measurements');
          expect((await programs.run(fence, { cwd })).trim()).toBe('1000');
          const [time, diameter, length] = readFileSync(join(cwd, 'measurements.csv'), 'utf8').split('\n')[0]?.split(';') ?? [];
          const [first] = await sinebar.measurements.searchWithValues({ partPath: '/Shaft', order: '4 asc', limitResult: 1 });
          expect(first?.attributes['4']).toBe(time);
          expect(Object.values(first?.characteristics ?? {}).map((value) => Number(value['1']))).toEqual(
            expect.arrayContaining([Number(diameter), Number(length)]),
          );
        },
        LIMIT_MS,
      );

      itWith(
        needs,
        `in ${language} a second time without a change`,
        async () => {
          const { programs, cwd } = await page('import-measurements');
          await programs.run(fence, { cwd });
          const before = await sinebar.measurements.searchWithValues({ partPath: '/Shaft', limitResult: -1 });
          expect((await programs.run(fence, { cwd })).trim()).toBe('1000');
          expect(await sinebar.measurements.searchWithValues({ partPath: '/Shaft', limitResult: -1 })).toEqual(before);
        },
        LIMIT_MS,
      );

      itWith(
        needs,
        `in ${language} ends at any other error`,
        async () => {
          const { programs, cwd } = await page('import-measurements');
          writeFileSync(join(cwd, 'measurements.csv'), '2026-03-01T06:00:00Z;wide;75\n');
          await expect(programs.run(fence, { cwd })).rejects.toThrow(/400|must be a number|not a number/i);
        },
        LIMIT_MS,
      );
    }
  });

  describe.each([
    {
      title: 'read a control chart',
      name: 'read-a-control-chart',
      printed:
        /^99\d values, mean 3\.\d{3}, control limits 3\.\d{3} to [34]\.\d{3}: \d+ outside\ntolerance 3\.000 to 4\.000: \d+ outside\n$/,
    },
    {
      title: 'is this characteristic capable',
      name: 'is-this-characteristic-capable',
      printed: /^stable:(yes|nearly|no)\nnormal:(yes|nearly|no)\ncapable:(yes|uncertain|no|notStable)\nname:Ppk,value:-?\d+\.\d+\n$/,
    },
    {
      title: 'find the worst characteristics of a part',
      name: 'find-the-worst-characteristics',
      printed: /^aboveTolerance:\d+\n(.+: Ppk -?\d+\.\d+\n){5}$/,
    },
    {
      title: 'compare machines',
      name: 'compare-machines',
      printed: /^(.+: \d+ values, mean \d+\.\d+\n){2}welch: p [-\d.e]+\nbrownForsythe: p [-\d.e]+\n$/,
    },
    {
      title: 'exclude a measurement',
      name: 'exclude-a-measurement',
      printed: /^"reason":"dropped part"\n"reason":"told by the operator"\n$/,
    },
  ])('$title', ({ name, printed }) => {
    const results: string[] = [];
    beforeAll(fillWithDemo, LIMIT_MS);

    for (const { language, fence, needs } of LANGUAGES) {
      itWith(
        needs,
        `in ${language}`,
        async () => {
          const { programs, cwd } = await page(name);
          results.push(await programs.run(fence, { cwd }));
        },
        LIMIT_MS,
      );
    }

    it('with the same result in all languages', () => {
      expect(results.length).toBeGreaterThan(1);
      expect(new Set(results).size).toBe(1);
      expect(results[0]).toMatch(printed);
    });
  });

  describe('files in and out', () => {
    beforeAll(fillWithDemo, LIMIT_MS);

    it(
      'imports what comes into a watched folder',
      async () => {
        const { programs, cwd } = await page('watch-a-folder');
        const words =
          /^npm run sinebar -- import-files (.*)\n$/
            .exec(programs.blocks('sh')[0] ?? '')?.[1]
            ?.replace('/mnt/machine', cwd)
            .split(' ') ?? [];
        running.push(launch([process.execPath, ...sinebarCommand('import-files', ...words)]));
        await until('the file is imported', () => existsSync(join(cwd, 'done/shaft.dfq')), LIMIT_MS);
        expect(await sinebar.measurements.search({ partPath: '/Line/4711' })).toMatchObject([
          { attributes: { 4: '2026-01-05T07:30:00Z' } },
        ]);
      },
      LIMIT_MS,
    );

    itWith(
      'bash',
      'opens values in Excel',
      async () => {
        const { programs, cwd } = await page('values-in-excel');
        await programs.run('sh', { cwd });
        // The workbook is read back: one row for each measurement.
        const workbook = await openAsBlob(join(cwd, 'door.xlsx'));
        const read = await sinebar.exchange.importFile(workbook, { format: 'xlsx', partPath: '/Copy', dryRun: true });
        expect(read.measurements).toEqual({ created: 500, found: 0 });
      },
      LIMIT_MS,
    );

    itWithPandas(
      'reads values into pandas',
      async () => {
        const { programs, cwd } = await page('values-in-pandas');
        expect(await programs.run('python', { cwd })).toMatch(/^\d{6} values of 205 characteristics\n/);
      },
      LIMIT_MS,
    );

    itWith(
      'bash',
      'feeds a panel of Grafana',
      async () => {
        const { programs, cwd } = await page('grafana-panel');
        const [uuid, header, first] = (await programs.run('sh', { cwd })).split(/\r?\n/);
        expect(header).toMatch(/^measurement,time,part,characteristic,value,/);
        expect(first).toMatch(/,\/Car door,Gap A-pillar 01,[34]\.\d+,/);
        const address = (programs.blocks('text')[0] ?? '').trim().replace('UUID', uuid ?? '');
        const asked = address
          .replace('${__from:date:iso}', '2000-01-01T00:00:00.000Z')
          .replace('${__to:date:iso}', '2100-01-01T00:00:00.000Z');
        expect((await (await fetch(asked)).text()).split('\r\n').slice(0, 2)).toEqual([header, first]);
      },
      LIMIT_MS,
    );
  });

  describe('follow changes', () => {
    for (const { language, fence, needs } of LANGUAGES) {
      itWith(
        needs,
        `in ${language}`,
        async () => {
          const part = randomUUID();
          await sinebar.parts.create([{ uuid: part, path: `P:/Followed ${fence}/` }]);
          const measure = async () => {
            const uuid = randomUUID();
            await sinebar.measurements.createWithValues([
              { uuid, partUuid: part, attributes: { 4: '2026-01-02T03:04:05Z' }, characteristics: {} },
            ]);
            return uuid;
          };
          const { programs, cwd } = await page('follow-changes');
          const command = programs.command(fence);
          const follow = () => {
            const program = launch(command, { cwd });
            running.push(program);
            return program;
          };
          const heard = (program: RunningProgram) => program.output().split('MeasurementCreated').length - 1;
          const position = join(cwd, 'position.txt');
          const stored = () => (existsSync(position) ? readFileSync(position, 'utf8') : '');

          const first = follow();
          await until('it follows', () => stored() !== '' || first.output().includes('following'), LIMIT_MS);
          const before = stored();
          await measure();
          await until('the first measurement', () => heard(first) === 1, LIMIT_MS);
          await until('its position is stored', () => stored() !== before, LIMIT_MS);
          await first.stop();
          await measure();
          await measure();
          const second = follow();
          await until('what came meanwhile', () => heard(second) === 2, LIMIT_MS);
        },
        2 * LIMIT_MS,
      );
    }
  });

  describe('events in C#', () => {
    it(
      'in JavaScript, over the same protocol',
      async () => {
        const { programs, cwd } = await page('events-in-csharp');
        const program = launch(programs.command('js'), { cwd });
        running.push(program);
        await until('it is connected', () => /^connected$/m.test(program.output()), LIMIT_MS);
        const [part, measurement] = [randomUUID(), randomUUID()];
        await sinebar.parts.create([{ uuid: part, path: 'P:/Listened to/' }]);
        await sinebar.measurements.createWithValues([{ uuid: measurement, partUuid: part, attributes: {}, characteristics: {} }]);
        await until('the measurement', () => program.output().includes(`MeasurementCreated ${measurement} 20`), LIMIT_MS);
      },
      LIMIT_MS,
    );
  });

  describe('attach and preview a file', () => {
    for (const { language, fence, needs } of LANGUAGES) {
      itWith(
        needs,
        `in ${language}`,
        async () => {
          const { programs, cwd } = await page('attach-and-preview-a-file');
          const output = await programs.run(fence, { cwd });
          expect(output).toMatch(/housing\.png/);
          expect(output.trimEnd()).toMatch(/second download: 304$/);
          const [part] = await sinebar.parts.list({ partPath: '/Housing', depth: 0 });
          const target = { entity: 'Part', uuid: part?.uuid ?? '' } as const;
          const stored = await sinebar.rawData.download(target, 0);
          expect(Buffer.from(await stored.arrayBuffer())).toEqual(readFileSync(join(cwd, 'housing.png')));
          const preview = await sinebar.rawData.thumbnail(target, 0);
          expect(readFileSync(join(cwd, 'preview.img'))).toEqual(Buffer.from(await preview.arrayBuffer()));
        },
        LIMIT_MS,
      );
    }
  });
});

describe('the guide to OpenID Connect', () => {
  const PAGE = 'docs/guides/sign-in-with-oidc.md';
  const ACCOUNT = { CLIENT_ID: 'import-job', CLIENT_SECRET: 'a secret: 50 % of it, "quoted"' };
  const folder = temporaryFolder();
  let provider: CertifiedProvider;
  let product: StartedProduct;
  let programs: PrintedPrograms;
  beforeAll(async () => {
    provider = await CertifiedProvider.start({ programs: [{ id: ACCOUNT.CLIENT_ID, secret: ACCOUNT.CLIENT_SECRET }] });
    const printed = new PrintedPrograms(PAGE, '');
    const policy = join(folder.path, 'policy.yaml');
    writeFileSync(policy, printed.blocks('yaml')[0] ?? '');
    const settings: Record<string, string> = {};
    for (const [, name = '', value = ''] of (printed.blocks('sh server')[0] ?? '').matchAll(/^export (\w+)=(\S+)/gm))
      settings[name] = value;
    expect(Object.keys(settings)).toHaveLength(5);
    product = await start(PROGRAMS.standalone, {
      env: {
        ...settings,
        SINEBAR_PORT: '0',
        SINEBAR_DATA_DIR: join(folder.path, 'data'),
        SINEBAR_OIDC_ISSUER: provider.issuer,
        SINEBAR_ACCESS_POLICY: policy,
      },
    });
    programs = new PrintedPrograms(PAGE, product.url);
  }, 150_000);
  afterEach(() => programs.remove());
  afterAll(async () => {
    await product.stop();
    await provider.stop();
    folder.remove();
  }, 70_000);

  for (const { language, fence, needs } of LANGUAGES) {
    itWith(
      needs,
      `signs in with ${language}, and not with another secret`,
      async () => {
        const before = (await provider.counts()).tokens;
        expect(await programs.run(fence, { env: ACCOUNT })).toContain('00000000-0000-0000-0000-000000000000');
        expect((await provider.counts()).tokens).toBe(before + 1);
        await expect(programs.run(fence, { env: { ...ACCOUNT, CLIENT_SECRET: 'guess' } })).rejects.toThrow(/401/);
      },
      LIMIT_MS,
    );
  }
});

describe('the C# of the guides', () => {
  // A program that names a package needs a current .NET; Mono cannot compile it.
  const pages = readdirSync(join(ROOT, 'docs/guides'))
    .filter((name) => name !== 'README.md')
    .filter((name) => new PrintedPrograms(`docs/guides/${name}`, '').blocks('csharp').length > 0);

  for (const page of pages) {
    itWithCSharp(
      `compiles in ${page}`,
      async () => {
        const programs = new PrintedPrograms(`docs/guides/${page}`, '');
        try {
          await programs.compileCSharp();
        } finally {
          programs.remove();
        }
      },
      LIMIT_MS,
    );
  }
});
