export const PASSWORD = 'lathe-and-mill';
/** Hash of {@link PASSWORD}, with cheap parameters on purpose. */
export const PASSWORD_HASH = '$argon2id$v=19$m=1024,t=1,p=1$Xq1G7XMTpOZWo3cVHh9xIA$xSC/2BY29tGDEysNn3nP82apdDQr68Hl/XlFUFoZNUw';
export const PATH_RIGHTS = ['plan:read', 'plan:write', 'measurement:read', 'measurement:write', 'rawData:read', 'rawData:write'];
