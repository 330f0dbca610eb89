import type { Catalog } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../design/language/language';
import table from '../../design/tables/table.module.css';
import styles from './catalogs.module.css';
import { texts } from './texts';

/** All catalogs with the number of their entries; each opens its entries. */
export function CatalogList({ catalogs, chosen }: { catalogs: readonly Catalog[]; chosen: string | undefined }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  return (
    <table className={`${table.data} ${styles.catalogs}`} aria-label={t.title}>
      <thead>
        <tr>
          <th scope="col">{t.catalog}</th>
          <th scope="col" className={table.number}>
            {t.entries}
          </th>
        </tr>
      </thead>
      <tbody>
        {catalogs.map(({ uuid, name, catalogEntries }) => (
          <tr key={uuid}>
            <th scope="row">
              <Link to="/administration/catalogs" search={{ catalog: uuid }} aria-current={uuid === chosen ? 'page' : undefined}>
                {name}
              </Link>
            </th>
            <td className={table.number}>{count(catalogEntries.length)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
