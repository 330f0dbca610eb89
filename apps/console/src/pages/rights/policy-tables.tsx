import type { AccessPolicyAnswer } from '@sinebar/client';
import type { ReactNode } from 'react';
import { useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import table from '../../design/tables/table.module.css';
import { texts } from './policy-texts';
import styles from './rights.module.css';

/** Roles with their grants, users with their roles, and the roles that claims of tokens give. */
export function PolicyTables({ policy: { roles, users, claims } }: { policy: AccessPolicyAnswer }) {
  const t = useTexts(texts);
  return (
    <>
      <Table
        name={t.roles}
        heads={[t.name, t.path, t.rights]}
        rows={roles.flatMap(({ name, grants }) =>
          grants.map(({ path, rights }, index) => [index === 0 ? name : '', path ?? t.server, rights.join(', ')]),
        )}
      />
      {users.length === 0 ? (
        <p className={styles.hint}>{t.noUsers}</p>
      ) : (
        <Table name={t.users} heads={[t.name, t.roles]} rows={users.map(({ name, roles: held }) => [name, held.join(', ')])} />
      )}
      {claims.length > 0 && (
        <Table
          name={t.claims}
          heads={[t.claim, t.is, t.roles]}
          rows={claims.map(({ claim, value, roles: given }) => [
            claim.join(' / '),
            value === undefined ? t.present : String(value),
            given.join(', '),
          ])}
        />
      )}
    </>
  );
}

function Table({ name, heads, rows }: { name: string; heads: readonly string[]; rows: readonly (readonly ReactNode[])[] }) {
  return (
    <section>
      <PaneHead name={name} level={3} isSpaced />
      <div className={table.scrolled}>
        <table className={`${table.data} ${table.sentences}`} aria-label={name}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={heads[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
