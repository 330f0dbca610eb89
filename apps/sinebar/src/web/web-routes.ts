import { fileURLToPath } from 'node:url';
import { oAuthRoutes, policyRoutes, type Authentication } from '@sinebar/authentication';
import type { Route } from '@sinebar/http';
import { programFile, type SettingsOf } from '@sinebar/runtime';
import { consoleRoutes } from './console-routes.ts';
import { openConsoleSite } from './console-site.ts';
import { docsRoutes } from './docs-routes.ts';
import { readLogo, type webSettings } from './logo-file.ts';

/** Folder into which the build of `apps/console` writes. */
const CONSOLE_FOLDER = fileURLToPath(programFile(import.meta.url, '../../../console/dist', 'console'));

/**
 * Routes for browsers: the console, the pages about the interface, and how to sign in. They are served with the inspection service.
 * @throws Error for a logo that cannot be shown
 */
export function webRoutes(
  { tokenInformation, signInOrigins, policy }: Pick<Authentication, 'tokenInformation' | 'signInOrigins' | 'policy'>,
  { SINEBAR_LOGO: logo }: Partial<SettingsOf<typeof webSettings>> = {},
): Route[] {
  const site = openConsoleSite(CONSOLE_FOLDER, logo === undefined ? undefined : readLogo(logo));
  return [...oAuthRoutes(tokenInformation), ...policyRoutes(policy), ...docsRoutes(), ...consoleRoutes({ site, signInOrigins })];
}
