import type { SavedView } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';

const VIEWS = '/analysisServiceRest/views';

/** Views of the console that users have named, for themselves or for all. */
export class Views {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Lists the own views and those that all users see, by name. */
  list({ signal }: RequestOptions = {}): Promise<SavedView[]> {
    return this.connection.json({ method: 'GET', path: VIEWS, ...(signal && { signal }) });
  }

  /**
   * Creates a view, or replaces name, address and `shared` of one that exists.
   * @param view `address` begins with `/console`
   * @throws SinebarError 400; 403 for a shared view without the right `configuration:write`; 409 for the uuid of another's view
   */
  put(uuid: string, view: Pick<SavedView, 'name' | 'address' | 'shared'>, { signal }: RequestOptions = {}): Promise<SavedView> {
    return this.connection.json({ method: 'PUT', path: `${VIEWS}/${segment(uuid)}`, json: view, ...(signal && { signal }) });
  }

  /** @throws SinebarError 403, 404 */
  delete(uuid: string, { signal }: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: `${VIEWS}/${segment(uuid)}`, ...(signal && { signal }) });
  }
}
