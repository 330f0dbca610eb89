export * from './authentication.js';
export * from './authenticator.js';
export * from './no-authentication.js';
export { oAuthRoutes, tokenInformation } from './oidc/oauth-routes.js';
export * from './open-authentication.js';
export * from './settings.js';
