/** The sections of the top bar, in order. */
export const SECTIONS = [
  { to: '/', name: 'parts' },
  { to: '/alarms', name: 'alarms' },
  { to: '/compare', name: 'compare' },
  { to: '/measurements', name: 'measurements' },
  { to: '/files', name: 'files' },
  { to: '/reports', name: 'reports' },
  { to: '/live', name: 'live' },
  { to: '/administration/definitions', name: 'administration' },
] as const;

/** All pages that have no uuid in their address, for the palette. */
export const PAGES = [
  ...SECTIONS,
  { to: '/import', name: 'import' },
  { to: '/administration/catalogs', name: 'catalogs' },
  { to: '/administration/subscriptions', name: 'subscriptions' },
  { to: '/administration/deliveries', name: 'deliveries' },
  { to: '/administration/health', name: 'health' },
  { to: '/administration/rights', name: 'rights' },
] as const;
