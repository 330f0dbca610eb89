export * from './authentication.ts';
export * from './authenticator.ts';
export * from './no-authentication.ts';
export { oAuthRoutes } from './oidc/oauth-routes.ts';
export * from './open-authentication.ts';
export { policyRoutes } from './policy/policy-routes.ts';
export * from './settings.ts';
