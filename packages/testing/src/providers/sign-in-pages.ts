import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { ProviderAccount } from './provider-messages.ts';

const FIELDS = {
  login: '<input name="username"><input name="password" type="password">',
  consent: '<p>The program asks for what belongs to your account.</p>',
};

/** Serves the pages on which a person signs in and consents. */
export async function answerSignIn(
  provider: Provider,
  accounts: ReadonlyMap<string, ProviderAccount>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response);
  const prompt = details.prompt.name === 'login' ? 'login' : 'consent';
  const show = (status: number, sentence: string) => {
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
    const form = `<form method="post" action="${request.url}">${FIELDS[prompt]}<button>Continue</button></form>`;
    response.end(`<!doctype html><title>Sign in</title><p id="sentence">${sentence}</p>${form}`);
  };
  if (request.method !== 'POST') {
    show(200, '');
    return;
  }
  if (prompt === 'login') {
    const form = new URLSearchParams(await text(request));
    const account = accounts.get(form.get('username') ?? '');
    if (!account || account.password !== form.get('password')) {
      show(401, 'User name or password is wrong.');
      return;
    }
    await provider.interactionFinished(request, response, { login: { accountId: account.name } }, { mergeWithLastSubmission: false });
    return;
  }
  const grantId = await consentedGrant(provider, details);
  await provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true });
}

/** Creates a grant with everything the program requests. @returns its id */
async function consentedGrant(
  provider: Provider,
  { prompt, params, session, grantId }: Awaited<ReturnType<Provider['interactionDetails']>>,
): Promise<string> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const accountId = session?.accountId;
  const clientId = typeof params['client_id'] === 'string' ? params['client_id'] : undefined;
  const grant = known ?? new provider.Grant({ ...(accountId && { accountId }), ...(clientId && { clientId }) });
  const missing = prompt.details as {
    missingOIDCScope?: string[];
    missingOIDCClaims?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missing.missingOIDCScope) grant.addOIDCScope(missing.missingOIDCScope.join(' '));
  if (missing.missingOIDCClaims) grant.addOIDCClaims(missing.missingOIDCClaims);
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {})) grant.addResourceScope(resource, scopes.join(' '));
  return await grant.save();
}
