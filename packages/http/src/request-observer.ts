/** Receives the begin and the end of each request of a server. */
export interface RequestObserver {
  /** A request has come. */
  begun(): void;
  /** Its answer has left, or its client. */
  ended(request: EndedRequest): void;
}

export interface EndedRequest {
  /** Path of the route as it is defined, never that of the request; `undefined` where there is none. */
  route: string | undefined;
  method: string;
  /** 499 when the answer was cut short, mostly by a client that left. */
  status: number;
  durationS: number;
  /** On the wire, headers included, compressed where it was. */
  receivedBytes: number;
  sentBytes: number;
}
