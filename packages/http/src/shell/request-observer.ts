/** Receives the begin and the end of each request of a server. */
export interface RequestObserver {
  begun(): void;
  /** Called when the answer is sent or the client has disconnected. */
  ended(request: EndedRequest): void;
}

export interface EndedRequest {
  /** Path pattern of the route, never that of the request; `undefined` without a route. */
  route: string | undefined;
  method: string;
  /** Status; 499 when the answer was cut short, mostly by a client that disconnected. */
  status: number;
  durationS: number;
  /** Bytes on the wire, headers included, after compression. */
  receivedBytes: number;
  sentBytes: number;
}
