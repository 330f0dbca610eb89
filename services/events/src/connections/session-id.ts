import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SECRET_BYTES = 16;
export const REPLICA_NAME_LENGTH = 32;

/**
 * Makes the id of a session. It begins with the name of this replica, so that any proxy can send later requests of the session here
 * (`sticky route` in infra/proxy/nginx.conf); the rest is a secret.
 * @param request first request of the session
 */
export function newSessionId({ socket }: IncomingMessage): string {
  return replicaName(socket.localAddress ?? '', socket.localPort ?? 0) + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Names a replica as nginx names a server of an upstream: the MD5 of address and port, 32 hexadecimal digits. */
export function replicaName(address: string, port: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)|[[\]]/g, '');
  return createHash('md5')
    .update(`${plain.includes(':') ? `[${plain}]` : plain}:${port}`)
    .digest('hex');
}
