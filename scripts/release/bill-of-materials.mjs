import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';

/** @typedef {{ name: string, version: string, licence: string, texts: readonly string[], isBundled: boolean }} Material */

/** The folder of the package that a module belongs to; undefined for modules of the workspace. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
const WORD = /^[\w.-]+$/;

/**
 * Writes the bill of materials of a release, which scanners read because a bundle hides its packages, and the texts of their licences.
 * @param {string} folder of the release
 * @param {object} content
 * @param {readonly string[]} content.modules paths of the modules that are joined
 * @param {string} content.page folder of the built page, with the packages that it holds in `licences.json`
 * @param {readonly string[]} content.copied folders of packages of which files are copied
 * @param {string} content.program folder of the package whose dependencies are installed beside the release
 */
export function writeMaterials(folder, { modules, page, copied, program }) {
  const joined = modules.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []);
  const ofPage = JSON.parse(readFileSync(join(page, 'licences.json'), 'utf8')).map(({ name, version, identifier, text }) => ({
    name,
    version,
    licence: identifier,
    texts: text ? [text] : [],
    isBundled: true,
  }));
  const found = [
    ...[...new Set([...joined, ...copied])].map((path) => materialAt(path, true)),
    ...ofPage,
    ...installedWith(program).map((path) => materialAt(path, false)),
  ];
  const byName = new Map(found.reverse().map((material) => [`${material.name}@${material.version}`, material]));
  const materials = [...byName].sort(([first], [second]) => (first < second ? -1 : 1)).map(([, material]) => material);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOf(materials), null, 1)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licenceTexts(materials).join(`\n${'-'.repeat(80)}\n\n`));
}

/** @returns {Material} */
function materialAt(folder, isBundled) {
  const { name, version, license } = readManifest(folder);
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  return { name, version, licence: license, texts: files.map((file) => readFileSync(join(folder, file), 'utf8')), isBundled };
}

/** Folders of the packages that a package depends on, and those of these in turn. */
export function installedWith(folder, known = new Set()) {
  const { dependencies, optionalDependencies } = readManifest(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const path = packageFolder(name, folder);
    if (path === undefined || known.has(path)) continue;
    known.add(path);
    installedWith(path, known);
  }
  return [...known];
}

/** @returns {string | undefined} undefined for a package of another platform */
function packageFolder(name, from) {
  for (const path of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    try {
      const folder = realpathSync(join(path, name));
      readManifest(folder);
      return folder;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

/** CycloneDX 1.6, without times and serial numbers: the same release has the same bill. @param {readonly Material[]} materials */
function billOf(materials) {
  const { name, version, license, description } = readManifest(ROOT);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...identity(name, version), description, licenses: licences(license) } },
    components: materials.map((material) => ({
      type: 'library',
      ...identity(material.name, material.version),
      licenses: licences(material.licence),
      properties: [{ name: 'sinebar:bundled', value: String(material.isBundled) }],
    })),
  };
}

function identity(fullName, version) {
  const purl = `pkg:npm/${fullName.replace('@', '%40')}@${version}`;
  const [group, name] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName];
  return { 'bom-ref': purl, ...(group && { group }), name, version, purl };
}

function licences(licence) {
  return [WORD.test(licence) ? { license: { id: licence } } : { expression: licence }];
}

/** Each text once, below the packages that have it. @param {readonly Material[]} materials */
function licenceTexts(materials) {
  const byText = Map.groupBy(
    materials,
    ({ texts }) => texts.join('\n\n').trim() || 'The package names its licence, and holds no text of it.',
  );
  return [...byText].map(([text, having]) => {
    const titles = having.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    return `${titles.join('\n')}\n\n${text}\n`;
  });
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
