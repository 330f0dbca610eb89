import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../bootstrap.mjs';

const MOUNTED_FILE = /^\.\/(infra\/[^:]+):([^:]+):ro$/;
const POLICY_FOLDER = './infra/access:/etc/sinebar:ro';
/** Service and volume with the files that a checkout mounts. */
const FILES = 'configuration';
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
    delete service.build;
    if (service.image.startsWith('sinebar:'))
      Object.assign(service, { image: `\${SINEBAR_IMAGE:-sinebar:${version}}`, pull_policy: 'missing' });
    const volumes = (service.volumes ?? []).map((volume) => (volume === POLICY_FOLDER ? './access:/etc/sinebar:ro' : volume));
    const mounted = volumes.flatMap((volume) => {
      const [, path, target] = MOUNTED_FILE.exec(volume) ?? [];
      return path === undefined ? [] : [{ path, target }];
    });
    const folders = [...new Set(mounted.map(({ target }) => dirname(target)))];
    if (volumes.length > 0)
      service.volumes = [...volumes.filter((volume) => !MOUNTED_FILE.test(volume)), ...folders.map((target) => `${FILES}:${target}:ro`)];
    if (mounted.length > 0) service.depends_on = { ...service.depends_on, [FILES]: { condition: 'service_completed_successfully' } };
    for (const { path, target } of mounted) {
      // Compose replaces variables in the content, too.
      configs[basename(target).replaceAll('.', '-')] = {
        content: readFileSync(join(ROOT, path), 'utf8').replaceAll('$', '$$$$'),
        target: `/files/${basename(target)}`,
      };
    }
  }
  document.services[FILES] = writerOf(configs, `\${SINEBAR_IMAGE:-sinebar:${version}}`);
  document.volumes[FILES] = null;
  const shared = Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('x-')));
  const secrets = [...new Set([...text.matchAll(SECRET)].map(([, name]) => name))];
  const file = join(folder, `sinebar-${version}-compose.yml`);
  const written = stringify({ ...shared, configs: contentsOf(configs) }, { lineWidth: 0, aliasDuplicateObjects: false });
  const advised = written.replaceAll(/Copy \.env\.example to \.env and set (\w+) there\./g, 'Set $1 in .env.');
  writeFileSync(file, headOf(basename(file), version, secrets) + advised);
  return file;
}

/**
 * The service that writes the files into a volume and ends. Compose puts the content of a file only into a container that may be written,
 * which no other is.
 */
function writerOf(configs, image) {
  const digest = createHash('sha256').update(JSON.stringify(configs)).digest('hex');
  return {
    image,
    // Another release writes its own files: Compose makes a container again whose definition has changed.
    labels: { 'sinebar.files': digest },
    pull_policy: 'missing',
    user: '0:0',
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    network_mode: 'none',
    restart: 'no',
    entrypoint: ['sh', '-c', 'cp --remove-destination /files/* /configuration/'],
    healthcheck: { disable: true },
    volumes: [`${FILES}:/configuration`],
    configs: Object.entries(configs).map(([source, { target }]) => ({ source, target, mode: 0o444 })),
  };
}

function contentsOf(configs) {
  return Object.fromEntries(Object.entries(configs).map(([name, { content }]) => [name, { content }]));
}

function headOf(name, version, secrets) {
  return `# Sinebar ${version}, from one file (Compose 2.23.1 or newer):
#   for name in ${secrets.join(' ')}; do echo "$name=$(openssl rand -hex 24)"; done > .env
#   docker load --input sinebar-${version}.tar           # or name the image of a registry: echo SINEBAR_IMAGE=… >> .env
#   mkdir --parents access && docker compose --file ${name} up --detach --wait
# Then http://127.0.0.1:8080/ shows the console, and with data to look at:
#   docker compose --file ${name} run --rm tools demo --server http://sinebar:8080
# An access policy lies in the folder access (docs/access-policy.md).
`;
}
