import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuthentication, type Authentication } from '@sinebar/authentication';
import { createLogger, loadSettings, openTracing, serve } from '@sinebar/runtime';
import { Closing, Shutdown } from '@sinebar/concurrency';
import { type Route } from '@sinebar/http';
import { chooseFreePort } from '@sinebar/local-servers';
import { createTestDatabase, eventually } from '@sinebar/testing';
import { BROWSER_CLIENT, CertifiedProvider, signInWithPage, type ProviderAccount } from '@sinebar/testing/providers';
import { composeOneProcess } from '@sinebar/program/compose';
import { standaloneSettings } from '@sinebar/program/settings';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  /** Body, parsed if it is JSON. */
  body: unknown;
}

/** The three services in this process, with users, tokens and an OpenID Connect provider. */
export interface SecuredServer {
  port: number;
  /** Management port; `undefined` unless the settings enable it. */
  managementPort: number | undefined;
  provider: CertifiedProvider;
  authentication: Authentication;
  routes: readonly Route[];
  send(method: string, path: string, headers?: OutgoingHttpHeaders, body?: unknown): Promise<Answer>;
  /** Sends a raw request that no HTTP client would write. @returns status line and headers */
  sendRaw(head: string): Promise<string>;
  /** Returns the header of a user of {@link PEOPLE} with a new token. */
  bearer(name: keyof typeof PEOPLE): Promise<{ authorization: string }>;
  /** Writes another policy and waits until it is loaded. */
  changePolicy(policy: object): Promise<void>;
  stop(): Promise<void>;
}

const account = (name: string, group: string): ProviderAccount => ({ name, password: `${name} at the provider`, groups: [group] });
/** Accounts at the provider, with their groups. */
export const PEOPLE = { tom: account('tom', 'pump'), olga: account('olga', 'others'), allan: account('allan', 'all') } as const;

/** @param hasConsole whether people sign in with the console, whose address the provider must know before it starts */
export async function startSecuredServer(
  policy: object,
  env: Record<string, string> = {},
  { hasConsole = false } = {},
): Promise<SecuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-secured-'));
  const policyFile = join(folder, 'policy.yaml');
  const writePolicy = (content: object) => {
    writeFileSync(`${policyFile}.next`, JSON.stringify(content));
    renameSync(`${policyFile}.next`, policyFile);
  };
  writePolicy(policy);
  const ownPort = hasConsole ? await chooseFreePort() : 0;
  const pages = hasConsole ? [`http://127.0.0.1:${ownPort}/console/`] : [];
  const [provider, database] = await Promise.all([
    CertifiedProvider.start({ accounts: Object.values(PEOPLE), pages }),
    createTestDatabase(),
  ]);
  const { values: settings } = loadSettings(standaloneSettings, {
    SINEBAR_PORT: String(ownPort),
    SINEBAR_AUTHENTICATION: 'basic+oidc',
    SINEBAR_ACCESS_POLICY: policyFile,
    SINEBAR_OIDC_ISSUER: provider.issuer,
    SINEBAR_OIDC_AUDIENCE: provider.audience,
    SINEBAR_OIDC_CLIENT_ID: 'desktop',
    SINEBAR_OIDC_BROWSER_CLIENT_ID: BROWSER_CLIENT,
    ...env,
  });
  const log = createLogger({ service: 'test', level: 'silent' });
  const authentication = await openAuthentication(settings, log, {
    pollMs: 30,
    settleMs: 5,
    failureMs: 0,
    keysCooldownMs: 0,
    providerPauseMs: 0,
  });
  const { tracer, close: closeTracing } = await openTracing(settings, 'standalone', log);
  const closing = new Closing(log);
  closing.add('spans', closeTracing);
  const services = await composeOneProcess({
    database: { url: database.url, migrateAtStart: true },
    dataDir: folder,
    settings,
    authentication,
    log,
    tracer,
    signal: new AbortController().signal,
    closing,
  });
  const shutdown = new Shutdown(log);
  const { authenticate, health, metrics: ownMetrics } = authentication;
  const { port, managementPort } = await serve({ services, settings, log, shutdown, authenticate, ownHealth: health, ownMetrics, tracer });

  const send: SecuredServer['send'] = (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const contentType = text === undefined ? {} : { 'content-type': 'application/json' };
      const sent = httpRequest(
        { host: '127.0.0.1', port, method, path, agent: false, headers: { ...contentType, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const isJson = response.headers['content-type']?.startsWith('application/json') === true && answer !== '';
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: isJson ? JSON.parse(answer) : answer });
          });
        },
      );
      sent.once('error', reject);
      sent.end(text);
    });
  return {
    port,
    managementPort,
    provider,
    authentication,
    routes: services.flatMap((service) => service.routes),
    send,
    sendRaw: (head) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(head));
        let text = '';
        socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.once('error', reject);
        socket.once('close', () => resolve(text));
      }),
    bearer: async (name) => ({ authorization: `Bearer ${(await signInWithPage(provider.issuer, PEOPLE[name])).accessToken}` }),
    changePolicy: async (content) => {
      let inForce = false;
      const listening = authentication.authenticator.onPolicyChange(() => (inForce = true));
      writePolicy(content);
      await eventually(() => inForce, { describe: 'the changed policy is in force' });
      listening.stop();
    },
    stop: async () => {
      await shutdown.run('the end of the test');
      await closing.run();
      await authentication.close();
      await provider.stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
