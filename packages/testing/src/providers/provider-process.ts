import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type JWK } from 'oidc-provider';
import { newKey, providerConfiguration } from './provider-configuration.ts';
import type { ProviderAccount, ProviderCommand, ProviderReply, ProviderRequest, ProviderStart } from './provider-messages.ts';
import { answerSignIn } from './sign-in-pages.ts';

/** The process of a {@link CertifiedProvider}: it has a clock of its own. */
const start = JSON.parse(process.argv[2] ?? '') as ProviderStart;
const accounts = new Map<string, ProviderAccount>();
const counts = { discovery: 0, keys: 0, tokens: 0 };
const realNow = Date.now.bind(Date);
let keys: JWK[] = [await newKey()];
let issuer = '';
let isDown = false;
let provider: Provider;

function changeAccounts(next: readonly ProviderAccount[]): void {
  accounts.clear();
  for (const account of next) accounts.set(account.name, account);
}

/** Restarts the provider as after a change of keys; stored data stays. */
function restart(): void {
  provider = new Provider(issuer, providerConfiguration(start, accounts, keys));
}

async function run(command: ProviderCommand): Promise<void> {
  if (command.name === 'rotate') {
    const key = await newKey();
    keys = command.forgetOthers ? [key] : [key, ...keys];
    restart();
  } else if (command.name === 'setClock') {
    Date.now = () => realNow() + command.offsetS * 1_000;
  } else if (command.name === 'setAccounts') {
    changeAccounts(command.accounts);
  } else if (command.name === 'setDown') {
    ({ isDown } = command);
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?')[0] ?? '';
  if (path === '/.well-known/openid-configuration') counts.discovery += 1;
  if (path === '/jwks') counts.keys += 1;
  if (path === '/token') counts.tokens += 1;
  if (isDown) {
    response.writeHead(503).end();
    return;
  }
  if (path.startsWith('/sign-in/')) {
    answerSignIn(provider, accounts, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    return;
  }
  void provider.callback()(request, response);
}

const reply = (id: number) => process.send?.({ id, issuer, counts } satisfies ProviderReply);

changeAccounts(start.accounts);
const server = createServer(answer);
server.listen(0, '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  restart();
  reply(0);
});
process.on('message', ({ id, command }: ProviderRequest) => void run(command).then(() => reply(id)));
// The test process has ended.
process.on('disconnect', () => process.exit(0));
