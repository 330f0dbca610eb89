/** Abort reason when the client closed the connection before its answer was complete. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
  constructor() {
    super('the client closed the connection');
  }
}
