import type { SignIn } from '@sinebar/authentication';
import type {
  ChangeEnvelope,
  EventName,
  EventPayloads,
  EventPosition,
  GatewayEventName,
  GatewayEventPayloads,
  ServiceError,
} from '@sinebar/contracts';
import type { StreamPosition } from '@sinebar/message-bus';
import { ListeningClient, type ClientDependencies } from '../connections/listening-client.ts';
import type { Rooms } from '../connections/rooms.ts';
import { eventMessages, isSentOverSignalR } from './hub-messages.ts';
import type { TextQueue } from './text-queue.ts';

export interface NewHubSession {
  signIn: SignIn;
  address: string;
  queue: TextQueue;
  rooms: Rooms<HubSession>;
  /** Sends the closing message and closes the connection. */
  closeConnection: (error: string, allowReconnect: boolean) => void;
}

const GAP_TEXT = 'Events were lost: read the current state, which is complete again from now on.';

/** A SignalR client after its handshake. Its protocol has no messages about the connection other than its end. */
export class HubSession extends ListeningClient {
  readonly protocol = 'signalr';
  protected override readonly queue: TextQueue;
  private readonly rooms: Rooms<HubSession>;
  private readonly closeConnection: NewHubSession['closeConnection'];

  constructor({ signIn, address, queue, rooms, closeConnection }: NewHubSession, deps: ClientDependencies) {
    super({ signIn, address, from: undefined }, deps);
    this.queue = queue;
    this.rooms = rooms;
    this.closeConnection = closeConnection;
  }

  open(): void {
    this.listen();
  }

  /** Sends encoded events. */
  push(text: string, firstEvent: EventPosition): void {
    this.queue.send(text, firstEvent);
  }

  /** Applies newer credentials of the same user. */
  signInAgain(signIn: SignIn): void {
    if (!this.isClosed) this.adopt(signIn, this.isLive);
  }

  /**
   * A client that missed events must read the state again, and it does so after a reconnection. Other events lose nothing and are not sent.
   */
  override tell<N extends GatewayEventName>(name: N, _payload: GatewayEventPayloads[N]): void {
    if (name !== 'Gap' || this.isClosed) return;
    this.close();
    this.queue.withdrawEvents();
    this.closeConnection(GAP_TEXT, true);
  }

  protected override joinRoom(room: string): void {
    this.rooms.join(room, this);
  }

  protected override leaveRoom(room: string): void {
    this.rooms.leave(room, this);
  }

  protected override sendEvents(
    payloads: readonly EventPayloads[EventName][],
    envelope: ChangeEnvelope,
    position: StreamPosition,
    firstIndex: number,
  ): void {
    if (!isSentOverSignalR(envelope)) return;
    this.push(eventMessages(payloads, envelope, position, firstIndex), { ...position, index: firstIndex });
  }

  protected override disconnect({ code, message }: ServiceError): void {
    this.closeConnection(message, code !== 'TooManyRequests');
  }
}
