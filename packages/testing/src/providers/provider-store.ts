import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Stored data of the provider, kept over a restart with other keys. */
const stored = new Map<string, AdapterPayload>();

/**
 * Store for one kind of the provider's objects: sessions, codes, refresh tokens. Nothing expires here, because the provider checks the time
 * itself.
 */
export class ProviderStore implements Adapter {
  private readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    stored.set(this.keyOf(id), payload);
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(stored.get(this.keyOf(id)));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.first((payload) => payload.uid === uid));
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.first((payload) => payload.userCode === userCode));
  }

  consume(id: string): Promise<void> {
    const payload = stored.get(this.keyOf(id));
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1_000);
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    stored.delete(this.keyOf(id));
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    return Promise.resolve();
  }

  private first(fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, payload] of stored) if (key.startsWith(`${this.kind}:`) && fits(payload)) return payload;
    return undefined;
  }

  private keyOf(id: string): string {
    return `${this.kind}:${id}`;
  }
}
