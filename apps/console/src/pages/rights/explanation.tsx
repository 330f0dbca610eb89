import type { AccessPolicyAnswer } from '@sinebar/client';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import checkStyles from '../../design/controls/check.module.css';
import fieldStyles from '../../design/controls/field.module.css';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import table from '../../design/tables/table.module.css';
import textStyles from '../../design/styles/text.module.css';
import { useView } from '../../server/use-view';
import { policyLines } from './policy-lines';
import { texts } from './policy-texts';
import styles from './rights.module.css';
import type { RightsAddress } from './search';
import { texts as rightTexts } from './texts';

type Explained = NonNullable<AccessPolicyAnswer['explanation']>;
type Right = Explained['rights'][number];

const SERVER_RIGHTS: readonly string[] = ['configuration:write', 'catalog:write', 'policy:write'];

/** Each right of the chosen user or role on the chosen part: whether it holds, by which grant, and how to give it. */
export function Explanation({ policy }: { policy: AccessPolicyAnswer }) {
  const t = useTexts(texts);
  const names = useTexts(rightTexts);
  const { view } = useView<RightsAddress>();
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const { explanation } = policy;
  if (explanation === undefined) return null;
  const { roles, rights } = explanation;
  const reason = ({ isHeld, grants }: Right) => {
    if (isHeld) return grants.map(({ role, path }) => (path === undefined ? t.byServer(role) : t.by(role, path))).join('; ');
    return roles.length === 0 ? t.noRole : t.noGrant(roles.join(', '));
  };
  const missing = rights.filter(({ right, isHeld }) => !isHeld && wanted.has(right)).map(({ right }) => right);
  return (
    <>
      <div className={table.scrolled}>
        <table className={`${table.data} ${table.sentences}`} aria-label={t.why}>
          <thead>
            <tr>
              <th scope="col">{t.right}</th>
              <th scope="col">
                <Hidden>{t.answer}</Hidden>
              </th>
              <th scope="col">{t.why}</th>
            </tr>
          </thead>
          <tbody>
            {rights.map((each) => (
              <tr key={each.right}>
                <th scope="row" title={each.right}>
                  {names[each.right]}
                </th>
                <td className={each.isHeld ? textStyles.strong : table.soft}>
                  {each.isHeld ? (
                    t.may
                  ) : (
                    <label className={checkStyles.label}>
                      <input
                        type="checkbox"
                        className={checkStyles.check}
                        aria-label={t.give(each.right)}
                        checked={wanted.has(each.right)}
                        onChange={({ target: { checked } }) =>
                          setWanted(new Set(checked ? [...wanted, each.right] : [...wanted].filter((right) => right !== each.right)))
                        }
                      />
                      {t.mayNot}
                    </label>
                  )}
                </td>
                <td>{reason(each)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {missing.length === 0 ? (
        rights.some(({ isHeld }) => !isHeld) && <p className={styles.hint}>{t.choose}</p>
      ) : (
        <Lines key={view.user ?? view.role} policy={policy} roles={roles} missing={missing} user={view.user} path={view.part ?? '/'} />
      )}
    </>
  );
}

function Lines({
  policy,
  roles,
  missing,
  user,
  path,
}: {
  policy: AccessPolicyAnswer;
  roles: readonly string[];
  missing: readonly string[];
  user: string | undefined;
  path: string;
}) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const [role, setRole] = useState(roles[0] ?? '');
  const usersOf = (name: string) => policy.users.filter((each) => each.roles.includes(name)).length;
  const lines = policyLines({
    ...(role !== '' && { role }),
    ...(user !== undefined && { user: { name: user, roles } }),
    path,
    partRights: missing.filter((right) => !SERVER_RIGHTS.includes(right)),
    serverRights: missing.filter((right) => SERVER_RIGHTS.includes(right)),
  });
  return (
    <div className={styles.lines}>
      <PaneHead name={t.lines} level={3} />
      <label className={fieldStyles.labelled}>
        {t.linesFor}
        <select value={role} onChange={({ target: { value } }) => setRole(value)}>
          {roles.map((name) => (
            <option key={name} value={name}>
              {t.linesRole(name, count(usersOf(name)))}
            </option>
          ))}
          {user !== undefined && <option value="">{t.linesUser(user)}</option>}
        </select>
      </label>
      <pre className={styles.code} tabIndex={0} aria-label={t.lines}>
        {lines}
      </pre>
      <p className={styles.hint}>{t.linesNote}</p>
      <Button onPress={() => void navigator.clipboard?.writeText(lines)}>{t.copy}</Button>
    </div>
  );
}
