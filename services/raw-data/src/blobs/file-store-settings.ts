import { defineSettings, plantSettings, settingType, type SettingsOf } from '@sinebar/runtime';

/** Settings of the store for bytes, for the raw-data service as a process of its own. */
export const fileStoreSettings = defineSettings({
  ...plantSettings,
  SINEBAR_FILE_DIR: {
    schema: settingType.optionalText(),
    description: 'folder for files, in the place of an S3 store; all replicas must share it; plants have folders of their own in it',
  },
  S3_ENDPOINT: {
    schema: settingType.url(['http', 'https']).optional(),
    description: 'address of the S3 store for files, such as https://s3.example.org',
  },
  S3_REGION: { schema: settingType.text('us-east-1'), description: 'region of the bucket' },
  S3_BUCKET: { schema: settingType.text('sinebar'), description: 'bucket for files; created when it is missing; plants may share it' },
  S3_ACCESS_KEY: { schema: settingType.optionalText(), description: 'access key of the S3 store', secret: true },
  S3_SECRET_KEY: { schema: settingType.optionalText(), description: 'secret key of the S3 store', secret: true },
});
export type FileStoreSettings = SettingsOf<typeof fileStoreSettings>;
