import type { IncomingMessage } from 'node:http';

/**
 * Whether a page may open a socket. Browsers ask no permission before they open a WebSocket to another server, so the server has to look at `Origin`:
 * it must be the server itself, as the client addressed it, or be listed. Programs send no `Origin` and may connect.
 * @param allowedOrigins such as `https://plant.example`; `*` allows all
 */
export function isAllowedOrigin({ headers }: Pick<IncomingMessage, 'headers'>, allowedOrigins: readonly string[]): boolean {
  const origin = headers.origin;
  if (origin === undefined || allowedOrigins.includes('*')) return true;
  if (allowedOrigins.some((allowed) => allowed.toLowerCase().replace(/\/$/, '') === origin.toLowerCase())) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return [headers.host, headers['x-forwarded-host']].flat().some((addressed) => addressed?.toLowerCase() === host);
}
