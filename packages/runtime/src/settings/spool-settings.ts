import { defineSettings, settingType } from './settings.ts';

/** Space for the bodies of uploads and imports while they are received. */
export const spoolSettings = defineSettings({
  SINEBAR_SPOOL_DIR: {
    schema: settingType.optionalText(),
    description:
      'folder in which uploads and imported files are kept until they are complete; by default one below the data folder, or a new private ' +
      'one among the temporary files',
  },
  SINEBAR_SPOOL_BYTES: {
    schema: settingType.integer({ min: 0, max: 999_999_999_999_999 }, 16 * 2 ** 30),
    description: 'bytes that all uploads and imports of a process may use on its disk until they are complete; 0 is no limit',
  },
});
