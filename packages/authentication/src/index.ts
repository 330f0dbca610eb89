export * from './authenticator.js';
export * from './no-authentication.js';
