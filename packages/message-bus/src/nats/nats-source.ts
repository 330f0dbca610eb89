import { abortable } from '@sinebar/concurrency';
import { BusUnavailableError, type StreamPosition, type StreamState } from '../bus.ts';
import type { MessageReader, StreamSource } from '../delivery.ts';
import type { NatsLink } from './nats-link.ts';
import { openNatsReader } from './nats-reader.ts';
import { isStreamNotFound, readStreamState } from './nats-stream.ts';

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
  async state(): Promise<StreamState> {
    const session = this.link.streamSession();
    try {
      return await abortable(readStreamState(session.jsm, this.streamName), session.lost);
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
