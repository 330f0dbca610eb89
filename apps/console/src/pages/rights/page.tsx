import type { Permissions } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../design/language/language';
import { TableFoot } from '../../design/layout/lines';
import { Page } from '../../design/page/page';
import { Pane } from '../../design/states/pane-state';
import table from '../../design/tables/table.module.css';
import { permissionsQuery } from '../../server/queries/administration-queries';
import { useServer } from '../../server/server';
import { PolicyPane } from './policy-pane';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

const PART_RIGHTS = [
  'plan:read',
  'plan:write',
  'measurement:read',
  'measurement:write',
  'note:write',
  'rawData:read',
  'rawData:write',
] as const;
const SERVER_RIGHTS = ['configuration:write', 'catalog:write', 'policy:write'] as const;

interface HeldRight {
  right: (typeof PART_RIGHTS)[number] | (typeof SERVER_RIGHTS)[number];
  isHeld: boolean;
  /** Paths of the parts where it holds; `undefined` for the whole server. */
  paths: readonly string[] | undefined;
}

/** Shows the rights of the reader in sentences. */
export function RightsPage() {
  const t = useTexts(texts);
  const permissions = useQuery(permissionsQuery(useServer()));
  return (
    <Page title={t.title} facts={permissions.data && <Answer permissions={permissions.data} />}>
      <Pane query={permissions}>
        {(known) => (
          <>
            <RightTable rights={rightsOf(known)} />
            <TableFoot>{t.note}</TableFoot>
            {/* Without sign-in there is no policy. */}
            {known.userName !== '' && known.serverRights.includes('policy:write') && <PolicyPane />}
          </>
        )}
      </Pane>
    </Page>
  );
}

function Answer({ permissions }: { permissions: Permissions }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const name = permissions.userName;
  const rights = rightsOf(permissions);
  const held = rights.filter(({ isHeld }) => isHeld);
  const isEverything = rights.every(({ isHeld, paths }) => isHeld && (paths === undefined || paths.includes('/')));
  let answer = t.something(name, count(held.length), count(rights.length));
  if (name === '') answer = t.open;
  else if (isEverything) answer = t.everything(name);
  else if (held.length === 0) answer = t.nothing(name);
  return <p className={textStyles.answer}>{answer}</p>;
}

function RightTable({ rights }: { rights: readonly HeldRight[] }) {
  const t = useTexts(texts);
  const whereOf = ({ isHeld, paths }: HeldRight) => {
    if (!isHeld) return '';
    if (paths === undefined) return t.wholeServer;
    return paths.includes('/') ? t.everywhere : paths.join(', ');
  };
  return (
    <table className={`${table.data} ${table.sentences}`} aria-label={t.title}>
      <thead>
        <tr>
          <th scope="col">{t.right}</th>
          <th scope="col">{t.what}</th>
          <th scope="col">{t.where}</th>
        </tr>
      </thead>
      <tbody>
        {rights.map((right) => (
          <tr key={right.right}>
            <td className={right.isHeld ? textStyles.strong : table.soft}>{right.isHeld ? t.may : t.mayNot}</td>
            <th scope="row" title={right.right}>
              {t[right.right]}
            </th>
            <td className={table.soft}>{whereOf(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function rightsOf({ partRights, serverRights }: Permissions): HeldRight[] {
  return [
    ...PART_RIGHTS.map((right) => {
      const paths = partRights[right] ?? [];
      return { right, isHeld: paths.length > 0, paths };
    }),
    ...SERVER_RIGHTS.map((right) => ({ right, isHeld: serverRights.includes(right), paths: undefined })),
  ];
}
