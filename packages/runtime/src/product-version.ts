import release from '../package.json' with { type: 'json' };

/** Version of the product; all packages of a release carry the same. */
export const PRODUCT_VERSION = release.version;
