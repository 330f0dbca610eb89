export * from './oidc-provider.ts';
export * from './certified-provider.ts';
export * from './sign-in.ts';
export { BROWSER_CLIENT, DESKTOP, OTHER_RESOURCE, type ProviderAccount } from './provider-messages.ts';
