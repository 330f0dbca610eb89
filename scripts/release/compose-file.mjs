import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../bootstrap.mjs';

const MOUNTED_FILE = /^\.\/(infra\/[^:]+):([^:]+):ro$/;
const POLICY_FOLDER = './infra/access:/etc/sinebar:ro';
const SECRET = /\$\{(\w+):\?/g;

/**
 * Writes a compose file that needs no clone: from docker-compose.yml, with the files that it mounts inside of it.
 * The image comes from `docker load`, or from a registry with SINEBAR_IMAGE.
 * @param {string} folder where it is written
 * @returns {string} path of the file
 */
export function writeReleaseCompose(folder) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  const document = parse(text, { merge: true });
  const configs = {};
  for (const service of Object.values(document.services)) {
    // The checksum of mounted files, which are part of the definition here.
    delete service.labels;
    delete service.build;
    if (service.image.startsWith('sinebar:'))
      Object.assign(service, { image: `\${SINEBAR_IMAGE:-sinebar:${version}}`, pull_policy: 'missing' });
    const volumes = (service.volumes ?? []).map((volume) => (volume === POLICY_FOLDER ? './access:/etc/sinebar:ro' : volume));
    service.volumes = volumes.filter((volume) => !MOUNTED_FILE.test(volume));
    service.configs = volumes.flatMap((volume) => {
      const [, path, target] = MOUNTED_FILE.exec(volume) ?? [];
      if (path === undefined) return [];
      const source = basename(path).replaceAll('.', '-');
      // Compose replaces variables in the content, too.
      configs[source] = { content: readFileSync(join(ROOT, path), 'utf8').replaceAll('$', '$$$$') };
      return [{ source, target, mode: 0o444 }];
    });
  }
  const shared = Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('x-')));
  const secrets = [...new Set([...text.matchAll(SECRET)].map(([, name]) => name))];
  const file = join(folder, `sinebar-${version}-compose.yml`);
  const written = stringify({ ...shared, configs }, { lineWidth: 0, aliasDuplicateObjects: false });
  const advised = written.replaceAll(/Copy \.env\.example to \.env and set (\w+) there\./g, 'Set $1 in .env.');
  writeFileSync(file, headOf(basename(file), version, secrets) + advised);
  return file;
}

function headOf(name, version, secrets) {
  return `# Sinebar ${version}, from one file (Compose 2.23.1 or newer):
#   for name in ${secrets.join(' ')}; do echo "$name=$(openssl rand -hex 24)"; done > .env
#   docker load --input sinebar-${version}.tar           # or name the image of a registry: echo SINEBAR_IMAGE=… >> .env
#   mkdir --parents access && docker compose --file ${name} up --detach --wait
# Then http://127.0.0.1:8080/ shows the console. An access policy lies in the folder access (docs/access-policy.md).
`;
}
