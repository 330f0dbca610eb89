import { createReadStream } from 'node:fs';
import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { readAqdef, readCalypso, readCsv, readXlsx } from '@sinebar/exchange';
import { MeasurementPacker } from './packed-measurements.ts';
import { jsonChunks, planNodes } from './packed-plan.ts';
import { WINDOW, type ReadingMessage, type ReadingTask } from './reading-messages.ts';

const READERS = { aqdef: readAqdef, calypso: readCalypso, csv: readCsv, xlsx: readXlsx } as const;
const READ_BYTES = 256 * 1024;

/** Entry of the worker threads of `FileReaders`: reads one file and sends what it holds. */
export default async function read({ path, format, options, areValuesWanted, port }: ReadingTask): Promise<void> {
  const sender = new Sender(port);
  let readBytes = 0;
  let hasDiskFailed = false;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    const file = createReadStream(path, { highWaterMark: READ_BYTES });
    file.once('error', () => (hasDiskFailed = true));
    for await (const chunk of file as AsyncIterable<Uint8Array>) {
      readBytes += chunk.length;
      yield chunk;
    }
  };
  const packer = new MeasurementPacker(areValuesWanted);
  const send = async () => {
    const message = packer.take();
    if (!message) return;
    const transferred = [message.parts, message.lines, message.counts, message.listIndexes, message.values, message.digits];
    await sender.send(
      { ...message, readBytes },
      transferred.flatMap((array) => (array && array.length > 0 ? (array.buffer as ArrayBuffer) : [])),
    );
  };
  try {
    const reader = READERS[format](bytes(), options);
    let next = await reader.next();
    for (; next.done !== true; next = await reader.next()) {
      for (const measurement of next.value) if (packer.add(measurement)) await send();
    }
    await send();
    const { parts, catalogEntries, ...content } = next.value;
    for (const nodes of jsonChunks(planNodes(parts))) await sender.send({ kind: 'plan', nodes });
    for (const entries of jsonChunks(catalogEntries)) await sender.send({ kind: 'catalogs', entries });
    await sender.send({ kind: 'end', content, readBytes });
  } catch (error) {
    if (!hasDiskFailed) throw error;
    await sender.send({ kind: 'unreadable' });
  } finally {
    port.close();
  }
}

/** Sends messages, and waits while too many are not answered. */
class Sender {
  private readonly port: MessagePort;
  private free = WINDOW;
  private wake: (() => void) | undefined;

  constructor(port: MessagePort) {
    this.port = port;
    port.on('message', () => {
      this.free += 1;
      this.wake?.();
    });
  }

  async send(message: ReadingMessage, transferred: readonly TransferListItem[] = []): Promise<void> {
    while (this.free === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.free -= 1;
    this.port.postMessage(message, transferred);
  }
}
