import type { JetStreamManager } from '@nats-io/jetstream';
import { abortable } from '@sinebar/concurrency';
import { BusUnavailableError, type StreamPosition, type StreamState, type StreamUsage } from '../bus.ts';
import type { MessageReader, StreamSource } from '../delivery.ts';
import type { NatsLink } from './nats-link.ts';
import { openNatsReader } from './nats-reader.ts';
import { isStreamNotFound, readStreamState, readStreamUsage } from './nats-stream.ts';

/** Source of the delivery loop that reads the event stream of the broker. */
export class NatsSource implements StreamSource {
  private readonly link: NatsLink;
  private readonly streamName: string;

  constructor(link: NatsLink, streamName: string) {
    this.link = link;
    this.streamName = streamName;
  }

  async whenReady(signal: AbortSignal): Promise<void> {
    await this.link.whenReady(signal);
  }

  /** @throws BusUnavailableError */
  state(): Promise<StreamState> {
    return this.ask(readStreamState);
  }

  /** @throws BusUnavailableError */
  usage(): Promise<StreamUsage | undefined> {
    return this.ask(readStreamUsage);
  }

  private async ask<T>(read: (jsm: JetStreamManager, name: string) => Promise<T>): Promise<T> {
    const session = this.link.streamSession();
    try {
      return await abortable(read(session.jsm, this.streamName), session.lost);
    } catch (error) {
      if (isStreamNotFound(error)) this.link.streamMissing(session);
      if (error instanceof BusUnavailableError) throw error;
      throw new BusUnavailableError('The event stream of the message broker is not available.', error);
    }
  }

  async openReader(position: StreamPosition, name: string, signal: AbortSignal): Promise<MessageReader> {
    return await openNatsReader(this.link.streamSession(), this.streamName, position, name, signal);
  }
}
