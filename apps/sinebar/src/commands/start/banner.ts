import { commandText } from '@sinebar/contracts';
import { isLoopback } from '@sinebar/runtime';

export interface ReadyState {
  host: string;
  port: number;
  /** True if a sign-in is required. */
  secured: boolean;
  dataDir: string;
  /** Text about the database. */
  database: string;
}

const DEMO_SERVER = 'http://127.0.0.1:8080';

/** Returns the address of the server for a browser on this computer. */
export function localAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere || host === 'localhost' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Returns the text printed when requests are answered; scripts wait for its exact first line. */
export function readyText(state: ReadyState): string {
  const url = localAddress(state.host, state.port);
  const lines = [
    `Sinebar is ready at ${url}`,
    '',
    'Try it in a second terminal:',
    `  curl ${url}/dataServiceRest/serviceInformation`,
    `  curl -X POST ${url}/dataServiceRest/parts -H 'Content-Type: application/json' \\`,
    `       -d '[{"uuid": "05040c4c-f0af-46b8-810e-30c0c00a379e", "path": "P:/Pump/"}]'`,
    `  curl ${url}/dataServiceRest/parts`,
    '',
    `Demo    ${commandText(url === DEMO_SERVER ? 'demo' : `demo --server ${url}`)} (a car door and three smaller parts, 5,750 measurements)`,
    `Data    ${state.dataDir} (${state.database})`,
    'Stop    Ctrl-C',
  ];
  const warning = state.secured ? undefined : openWarning(state.host);
  if (warning) lines.push('', warning);
  return lines.join('\n');
}

/** Returns the warning for an open server that others can reach (architecture, rule 9). */
export function openWarning(host: string): string | undefined {
  if (isLoopback(host)) return undefined;
  return `WARNING: Sinebar listens on ${host} without authentication. Whoever reaches this address can read and change everything.`;
}
