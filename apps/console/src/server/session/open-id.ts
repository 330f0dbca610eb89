import * as oauth from 'oauth4webapi';

/** Settings of the server's OpenID Connect provider, as far as a browser needs it. */
export interface ProviderInformation {
  openIdAuthority: string;
  browserClientId: string;
  requestedScopes: string;
}

/** Tokens of a signed-in reader; they are kept in memory only. */
export interface Tokens {
  access: string;
  refresh: string | undefined;
}

/** State of a sign-in, kept in the storage of this tab until the provider leads back. */
interface Departure {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
}

const DEPARTURE = 'sinebar.sign-in';

/** Signs in at an OpenID Connect provider: authorization code with PKCE, by redirect. */
export class OpenIdClient {
  private readonly information: ProviderInformation;
  /** Address to which the provider sends the reader back: the console itself. */
  private readonly redirectUri: string;
  private readonly client: oauth.Client;
  private readonly options: { [oauth.allowInsecureRequests]: boolean };
  private provider: Promise<oauth.AuthorizationServer> | undefined;

  constructor(information: ProviderInformation, redirectUri: string) {
    this.information = information;
    this.redirectUri = redirectUri;
    this.client = { client_id: information.browserClientId };
    // A provider on http exists only in development, where the operator of the server has named it so.
    this.options = { [oauth.allowInsecureRequests]: information.openIdAuthority.startsWith('http:') };
  }

  /** Leads the reader to the provider. @param returnTo address of the console to come back to */
  async depart(returnTo: string, storage: Storage = sessionStorage): Promise<never> {
    const { authorization_endpoint: endpoint } = await this.discover();
    if (endpoint === undefined) throw new Error('The provider names no address to sign in at.');
    const departure: Departure = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      returnTo,
    };
    storage.setItem(DEPARTURE, JSON.stringify(departure));
    const address = new URL(endpoint);
    const parameters = {
      client_id: this.client.client_id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: this.information.requestedScopes,
      code_challenge: await oauth.calculatePKCECodeChallenge(departure.verifier),
      code_challenge_method: 'S256',
      state: departure.state,
      nonce: departure.nonce,
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    location.assign(address);
    // The page is about to end.
    return new Promise<never>(() => undefined);
  }

  /** Exchanges the code with which the provider has sent the reader back. @throws Error when the answer is not for this tab */
  async arrive(address: URL, storage: Storage = sessionStorage): Promise<{ tokens: Tokens; returnTo: string }> {
    const departure = JSON.parse(storage.getItem(DEPARTURE) ?? 'null') as Departure | null;
    storage.removeItem(DEPARTURE);
    if (departure === null) throw new Error('This tab did not ask the provider; sign in again.');
    const provider = await this.discover();
    const parameters = oauth.validateAuthResponse(provider, this.client, address, departure.state);
    const response = await oauth.authorizationCodeGrantRequest(
      provider,
      this.client,
      oauth.None(),
      parameters,
      this.redirectUri,
      departure.verifier,
      this.options,
    );
    const answer = await oauth.processAuthorizationCodeResponse(provider, this.client, response, {
      expectedNonce: departure.nonce,
      requireIdToken: true,
    });
    return { tokens: { access: answer.access_token, refresh: answer.refresh_token }, returnTo: departure.returnTo };
  }

  /** Gets fresh tokens without the reader. @throws Error when the provider gives none */
  async refresh(refreshToken: string): Promise<Tokens> {
    const provider = await this.discover();
    const response = await oauth.refreshTokenGrantRequest(provider, this.client, oauth.None(), refreshToken, this.options);
    const answer = await oauth.processRefreshTokenResponse(provider, this.client, response);
    return { access: answer.access_token, refresh: answer.refresh_token ?? refreshToken };
  }

  private discover(): Promise<oauth.AuthorizationServer> {
    this.provider ??= this.readProvider().catch((error: unknown) => {
      // The next attempt asks again.
      this.provider = undefined;
      throw error;
    });
    return this.provider;
  }

  private async readProvider(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.information.openIdAuthority);
    const response = await oauth.discoveryRequest(issuer, this.options);
    return oauth.processDiscoveryResponse(issuer, response);
  }
}
