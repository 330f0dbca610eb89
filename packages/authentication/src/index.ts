export { runAccessCommand, type CommandStreams } from './access-command/access-command.js';
export * from './authenticator.js';
export * from './no-authentication.js';
export { oAuthRoutes, tokenInformation } from './oidc/oauth-routes.js';
export * from './open-authentication.js';
export * from './settings.js';
