export * from './oidc-provider.js';
export * from './certified-provider.js';
export * from './sign-in.js';
export { BROWSER_CLIENT, DESKTOP, OTHER_RESOURCE, type ProviderAccount } from './provider-messages.js';
