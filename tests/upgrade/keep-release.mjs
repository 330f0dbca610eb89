import { spawn } from 'node:child_process';
import { chmodSync, cpSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { main, run, ScriptError } from '../../scripts/command.mjs';

/**
 * `node tests/upgrade/keep-release.mjs release/sinebar-0.1.0.tgz`: installs the package of a release, fills it, and keeps what later
 * releases are started on in releases/<version> (README.md).
 */
const FOLDER = import.meta.dirname;
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
const OLDEST_POSTGRES = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';
const asPostgres = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];

await main(async () => {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new ScriptError('Use: node tests/upgrade/keep-release.mjs <package file of a release>');
  const root = mkdtempSync(join(tmpdir(), 'sinebar-kept-'));
  // The database runs as another user when this process is root.
  chmodSync(root, 0o755);
  try {
    await command(root, 'npm', 'install', resolve(file), '--prefix', root, '--ignore-scripts', '--no-audit', '--no-fund');
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules/sinebar/package.json'), 'utf8'));
    const kept = join(FOLDER, 'releases', version);
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(join(kept, 'database'), { recursive: true });
    await keepDataFolder(root, kept);
    await keepDatabase(root, join(kept, 'database'));
    console.log(kept);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** The data folder of the embedded form, and a backup of it. */
async function keepDataFolder(root, kept) {
  const dataDir = join(root, 'data');
  await filled(root, [], { SINEBAR_DATA_DIR: dataDir }, join(kept, 'answers.json'));
  await command(root, process.execPath, ...program(root), 'backup', join(root, 'backup'), { SINEBAR_DATA_DIR: dataDir });
  // Copies that start at the same time would choose the same port.
  for (const name of ['postgres/sinebar-port', 'postgres.log', 'spool']) rmSync(join(dataDir, name), { recursive: true, force: true });
  await archive(dataDir, join(kept, 'data-folder.tar.zst'));
  await archive(join(root, 'backup'), join(kept, 'backup.tar.zst'));
}

/** A dump of the oldest PostgreSQL that Sinebar supports: statements of an older pg_dump run on every newer server. */
async function keepDatabase(root, kept) {
  const cluster = join(root, 'cluster');
  const port = await freePort();
  const postgres = (name, ...words) => command(root, ...asPostgres, join(OLDEST_POSTGRES, name), ...words);
  const socket = ['-h', root, '-p', String(port)];
  // Its account makes the cluster and its socket there.
  chmodSync(root, 0o777);
  await postgres('initdb', '-D', cluster, '--auth=trust', '--username=sinebar', '--encoding=UTF8', '--locale=C.UTF-8');
  await postgres('pg_ctl', '-D', cluster, '-w', '-l', join(cluster, 'log'), '-o', `-p ${port} -k ${root} -h 127.0.0.1`, 'start');
  try {
    await postgres('createdb', ...socket, '-U', 'sinebar', 'sinebar');
    const env = { SINEBAR_DATA_DIR: join(root, 'files-only'), DATABASE_URL: `postgres://sinebar@127.0.0.1:${port}/sinebar` };
    await filled(root, ['start', '--database'], env, join(kept, 'answers.json'));
    cpSync(join(root, 'files-only/files'), join(kept, 'files'), { recursive: true });
    const dump = await postgres(
      'pg_dump',
      ...socket,
      '-U',
      'sinebar',
      '--inserts',
      '--no-owner',
      '--no-privileges',
      '--no-comments',
      'sinebar',
    );
    writeFileSync(join(kept, 'database.sql'), dump.replaceAll(/^(--.*|\\.*|)\n/gm, ''));
  } finally {
    await postgres('pg_ctl', '-D', cluster, '-m', 'fast', 'stop');
  }
}

/** Starts the release, fills it, writes its answers into a file, and stops it. */
async function filled(root, words, env, answers) {
  const child = spawn(process.execPath, [...program(root), ...words], {
    env: { ...process.env, SINEBAR_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((settle) => child.once('exit', settle));
  try {
    const url = await new Promise((found, failed) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
        const [, address] = READY.exec(output) ?? [];
        if (address) found(address);
      });
      void ended.then(() => failed(new ScriptError(`The release did not start:\n${output}`)));
    });
    await command(root, process.execPath, join(FOLDER, 'fill.mjs'), url, answers);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function program(root) {
  return [join(root, 'node_modules/sinebar/bin/sinebar.cjs')];
}

async function archive(folder, file) {
  const tar = spawn(
    'tar',
    ['--create', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--directory', folder, '.'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  // The databases of a cluster are nearly equal: a window over all of them finds that.
  const { ZSTD_c_compressionLevel: level, ZSTD_c_enableLongDistanceMatching: isLong, ZSTD_c_windowLog: window } = constants;
  await pipeline(tar.stdout, createZstdCompress({ params: { [level]: 19, [isLong]: 1, [window]: 27 } }), createWriteStream(file));
}

/** Runs a command, with variables where the last word is an object. @returns what it printed */
async function command(cwd, ...words) {
  const env = typeof words.at(-1) === 'object' ? words.pop() : {};
  const { code, output } = await run(words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) throw new ScriptError(`${words.join(' ')} ended with code ${code}:\n${output}`);
  return output;
}

function freePort() {
  return new Promise((resolvePort) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolvePort(port));
    });
  });
}
