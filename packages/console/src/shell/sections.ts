/** The sections of the top bar, in order. */
export const SECTIONS = [
  { to: '/', name: 'parts' },
  { to: '/compare', name: 'compare' },
  { to: '/measurements', name: 'measurements' },
  { to: '/files', name: 'files' },
  { to: '/live', name: 'live' },
  { to: '/administration/definitions', name: 'administration' },
] as const;
