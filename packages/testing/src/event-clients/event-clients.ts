import { HttpTransportType, HubConnectionBuilder, HubConnectionState, LogLevel, type HubConnection } from '@microsoft/signalr';
import { io } from 'socket.io-client';

/** A stock client that connects again by itself. */
export interface EventClient {
  isConnected(): boolean;
  /** Uuids of the created parts whose events it received. */
  readonly parts: ReadonlySet<string>;
  stop(): Promise<void>;
}

export type StartClient = (url: string, authorization?: string) => EventClient;

const headersOf = (authorization?: string): Record<string, string> => (authorization === undefined ? {} : { authorization });

function socketIo(transports?: string[]): StartClient {
  return (url, authorization) => {
    const parts = new Set<string>();
    const options = {
      forceNew: true,
      reconnectionDelayMax: 500,
      extraHeaders: headersOf(authorization),
      ...(transports && { transports }),
    };
    const socket = io(`${url}/events`, options);
    socket.on('PartCreated', ({ PartUuid }: { PartUuid: string }) => parts.add(PartUuid));
    const stop = () => {
      socket.disconnect();
      return Promise.resolve();
    };
    return { parts, isConnected: () => socket.connected, stop };
  };
}

function signalR(transport: HttpTransportType): StartClient {
  return (url, authorization) => {
    const parts = new Set<string>();
    let isStopped = false;
    const connection: HubConnection = new HubConnectionBuilder()
      .withUrl(`${url}/events`, { transport, headers: headersOf(authorization) })
      .configureLogging(LogLevel.None)
      .build();
    connection.on('PartCreated', ({ partUuid }: { partUuid: string }) => parts.add(partUuid));
    const start = () => {
      if (!isStopped) connection.start().catch(() => setTimeout(start, 200));
    };
    connection.onclose(start);
    start();
    const stop = async () => {
      isStopped = true;
      await connection.stop();
    };
    return { parts, isConnected: () => connection.state === HubConnectionState.Connected, stop };
  };
}

export const EVENT_CLIENTS: Record<string, StartClient> = {
  'Socket.IO, as it starts by itself': socketIo(),
  'Socket.IO by polling': socketIo(['polling']),
  'Socket.IO by WebSocket': socketIo(['websocket']),
  'SignalR by WebSocket': signalR(HttpTransportType.WebSockets),
  'SignalR by server-sent events': signalR(HttpTransportType.ServerSentEvents),
  'SignalR by long polling': signalR(HttpTransportType.LongPolling),
};
