import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { main, ScriptError } from './command.mjs';

/**
 * Runs `node scripts/exercise.mjs <server url> [--keep <file> | --expect <file>] [--results <file>]`: uses a running product like its users
 * and checks every answer.
 * `--keep` leaves a part with a file on the server and describes them in <file>; `--expect` expects them unchanged and removes them.
 * `--results` writes `{ "passed", "failed" }`. The exit code is 1 when a check failed.
 */
const ROOT_PART = '00000000-0000-0000-0000-000000000000';
const REQUEST_TIMEOUT_MS = 20_000;
const EVENT_TIMEOUT_MS = 10_000;

const counts = { passed: 0, failed: 0 };

function check(name, actual, expected) {
  const ok = isDeepStrictEqual(actual, expected);
  counts[ok ? 'passed' : 'failed'] += 1;
  console.log(
    ok ? `ok      ${name}` : `FAILED  ${name}\n        expected ${JSON.stringify(expected)}\n        got      ${JSON.stringify(actual)}`,
  );
}

async function call(server, method, path, { json, body, headers = {} } = {}) {
  const response = await fetch(new URL(path, server), {
    method,
    headers: json === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: json === undefined ? body : JSON.stringify(json),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = bytes.length > 0 && /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined };
}

/** Formats the digest as a .NET GUID, its first three groups byte-reversed (spec: decisions.md 6.3). */
function md5AsGuid(bytes) {
  const digest = createHash('md5').update(bytes).digest();
  const groups = [
    digest.subarray(0, 4).reverse(),
    digest.subarray(4, 6).reverse(),
    digest.subarray(6, 8).reverse(),
    digest.subarray(8, 10),
    digest.subarray(10),
  ];
  return groups.map((group) => group.toString('hex')).join('-');
}

function newPart() {
  const uuid = randomUUID();
  return { uuid, path: `P:/exercise ${uuid}/` };
}

async function checkService(server) {
  const versions = await call(server, 'GET', '/dataServiceRest/');
  check('the data service tells its version', [versions.status, versions.body?.supportedVersions], [200, ['1.12.0']]);
  const rawVersions = await call(server, 'GET', '/rawDataServiceRest/');
  check('the raw data service tells its version', [rawVersions.status, rawVersions.body?.supportedVersions], [200, ['1.8.0']]);
  const ready = await call(server, 'GET', '/healthServiceRest/ready');
  check('the server is ready', [ready.status, ready.body?.status], [200, 'Healthy']);
}

async function createPart(server, part) {
  const created = await call(server, 'POST', '/dataServiceRest/parts', { json: [part] });
  check('a part is created', created.status, 201);
  const read = await call(server, 'GET', `/dataServiceRest/parts/${part.uuid}`);
  check('the part is read back', [read.status, read.body?.uuid, read.body?.path], [200, part.uuid, part.path]);
}

async function attachFile(server, part, file) {
  const created = await call(server, 'POST', `/rawDataServiceRest/rawData/part/${part.uuid}`, {
    body: file.bytes,
    headers: { 'content-disposition': `"${file.name}"`, 'content-type': file.type },
  });
  check('a file is attached', created.status, 201);
  const { target, key, fileName, mimeType, size, md5 } = created.body ?? {};
  check(
    'the answer describes the file',
    { target, key, fileName, mimeType, size, md5 },
    {
      target: { entity: 'Part', uuid: part.uuid },
      key: 0,
      fileName: file.name,
      mimeType: file.type,
      size: file.bytes.length,
      md5: md5AsGuid(file.bytes),
    },
  );
}

async function readFile(server, part, bytes) {
  const address = `/rawDataServiceRest/rawData/part/${part.uuid}/0`;
  const read = await call(server, 'GET', address);
  check('the file is read back, byte for byte', [read.status, read.bytes.equals(bytes)], [200, true]);
  const again = await call(server, 'GET', address, { headers: { 'if-none-match': read.headers.get('etag') ?? '' } });
  check('an unchanged file is not sent again', [again.status, again.bytes.length], [304, 0]);
}

async function removeAll(server, part) {
  const fileAddress = `/rawDataServiceRest/rawData/part/${part.uuid}/0`;
  check('the file is deleted', (await call(server, 'DELETE', fileAddress)).status, 200);
  check('the deleted file is not found', (await call(server, 'GET', fileAddress)).status, 404);
  check('the part is deleted', (await call(server, 'DELETE', `/dataServiceRest/parts/${part.uuid}`)).status, 200);
  const deleted = await call(server, 'GET', `/dataServiceRest/parts/${part.uuid}`);
  check(
    'the deleted part is not found, and a sentence says so',
    [deleted.status, typeof deleted.body?.message, deleted.body?.message?.length > 0],
    [404, 'string', true],
  );
}

/** Records the events of one part, which no other client changes because its uuid is random. */
async function listen(server, partUuid) {
  const { io } = createRequire(new URL('../tests/acceptance/package.json', import.meta.url))('socket.io-client');
  const socket = io(new URL('/events', server).href, { forceNew: true, reconnection: false });
  const events = [];
  let wake = () => {};
  socket.onAny((name, payload, meta) => {
    if (payload?.PartUuid !== partUuid && payload?.TargetUuid !== partUuid) return;
    events.push({ name, payload, meta });
    wake();
  });
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ScriptError('the event socket did not connect')), REQUEST_TIMEOUT_MS);
    socket.once('connect_error', (error) => reject(new ScriptError(`the event socket was refused: ${error.message}`)));
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return {
    /** Returns the events, once there are `count` or the time is over. */
    async first(count) {
      const deadline = Date.now() + EVENT_TIMEOUT_MS;
      while (events.length < count && Date.now() < deadline) {
        await new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, deadline - Date.now());
        });
      }
      return events;
    },
    close: () => socket.close(),
  };
}

function checkEvents(events, part, file) {
  const byName = (name) => events.filter((event) => event.name === name).map(({ payload }) => payload);
  const fileEvent = { RawDataEntity: 'Part', TargetUuid: part.uuid, Key: 0, Filename: file.name };
  check('PartCreated arrived', byName('PartCreated'), [{ PartUuid: part.uuid, ParentPartUuid: ROOT_PART }]);
  check('RawDataCreated arrived', byName('RawDataCreated'), [fileEvent]);
  check('RawDataDeleted arrived', byName('RawDataDeleted'), [fileEvent]);
  check('PartDeleted arrived', byName('PartDeleted'), [{ PartUuid: part.uuid, ParentPartUuid: ROOT_PART }]);
  check(
    'every event has an identity, a time and a sequence',
    new Set(events.flatMap(({ meta }) => ['id', 'time', 'sequence'].map((name) => typeof meta?.[name]))),
    new Set(['string']),
  );
  check('no event came twice', new Set(events.map(({ meta }) => meta?.id)).size, events.length);
}

async function story(server) {
  const part = newPart();
  const file = { name: 'report.pdf', type: 'application/pdf', bytes: randomBytes(300_000) };
  const socket = await listen(server, part.uuid);
  try {
    await createPart(server, part);
    check('the same part again is refused', (await call(server, 'POST', '/dataServiceRest/parts', { json: [part] })).status, 409);
    await attachFile(server, part, file);
    const list = await call(server, 'GET', `/rawDataServiceRest/rawDataInformation/part/${part.uuid}`);
    check('the file is listed', [list.status, list.body?.map?.(({ fileName }) => fileName)], [200, [file.name]]);
    await readFile(server, part, file.bytes);
    await removeAll(server, part);
    checkEvents(await socket.first(4), part, file);
  } finally {
    socket.close();
  }
}

async function leave(server, noteFile) {
  const part = newPart();
  const bytes = randomBytes(200_000);
  await createPart(server, part);
  await attachFile(server, part, { name: 'kept.bin', type: 'application/octet-stream', bytes });
  writeFileSync(noteFile, JSON.stringify({ part, base64: bytes.toString('base64') }));
}

async function find(server, noteFile) {
  const { part, base64 } = JSON.parse(readFileSync(noteFile, 'utf8'));
  const read = await call(server, 'GET', `/dataServiceRest/parts/${part.uuid}`);
  check('the part of the run before is still there', [read.status, read.body?.path], [200, part.path]);
  await readFile(server, part, Buffer.from(base64, 'base64'));
  await removeAll(server, part);
}

await main(async () => {
  const [server, ...rest] = process.argv.slice(2);
  const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
  if (server === undefined)
    throw new ScriptError('usage: node scripts/exercise.mjs <server url> [--keep <file> | --expect <file>] [--results <file>]');
  const [kept, expected, results] = ['--keep', '--expect', '--results'].map(option);
  try {
    await checkService(server);
    if (expected !== undefined) await find(server, expected);
    await story(server);
    if (kept !== undefined) await leave(server, kept);
  } catch (error) {
    counts.failed += 1;
    console.log(`FAILED  ${error instanceof ScriptError ? error.message : error.stack}`);
  }
  console.log(`${counts.passed} checks passed, ${counts.failed} failed`);
  if (results !== undefined) writeFileSync(results, JSON.stringify(counts));
  return counts.failed === 0 ? 0 : 1;
});
