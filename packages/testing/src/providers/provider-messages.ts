export interface ProviderStart {
  /** `aud` of the access tokens. */
  audience: string;
  accessTokenLifetimeS: number;
  accounts: ProviderAccount[];
  programs: ProviderProgram[];
  /** Addresses to which the provider sends people back who sign in with a page in a browser; none: it knows no such client. */
  pages: string[];
}

export interface ProviderAccount {
  name: string;
  password: string;
  /** Value of the claim `groups`. */
  groups: string[];
}

/** A program with an account of its own: it gets tokens by `client_credentials`. */
export interface ProviderProgram {
  id: string;
  secret: string;
}

export interface ProviderCounts {
  discovery: number;
  keys: number;
  tokens: number;
}

/** Requests of the test to the process, each with the member of its answer. */
export type ProviderCommand =
  | { name: 'rotate'; forgetOthers: boolean }
  | { name: 'setClock'; offsetS: number }
  | { name: 'setAccounts'; accounts: ProviderAccount[] }
  | { name: 'setDown'; isDown: boolean }
  | { name: 'counts' };

export interface ProviderRequest {
  id: number;
  command: ProviderCommand;
}

export interface ProviderReply {
  /** Number of the request; 0 is sent once, when the provider listens. */
  id: number;
  issuer: string;
  counts: ProviderCounts;
}

/** Program used by a person, and its redirect address (RFC 8252, 7.3). */
export const DESKTOP = { id: 'desktop', redirectUri: 'http://127.0.0.1/signed-in' } as const;

/** Client id of pages in a browser. */
export const BROWSER_CLIENT = 'browser';

/** Another API at the provider; its tokens have the name as their audience. */
export const OTHER_RESOURCE = 'urn:another-server';
