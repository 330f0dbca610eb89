import type { AccessPolicyAnswer } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import fieldStyles from '../../design/controls/field.module.css';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Pane } from '../../design/states/pane-state';
import { accessPolicyQuery } from '../../server/queries/administration-queries';
import { planIndexQuery } from '../../server/queries/plan-index';
import { plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useView } from '../../server/use-view';
import { Explanation } from './explanation';
import { PolicyTables } from './policy-tables';
import { texts } from './policy-texts';
import styles from './rights.module.css';
import type { RightsAddress } from './search';

/** Most parts that the field for the part offers. */
const MAX_PARTS = 20;

/** The policy in force, and why somebody may do something or not. */
export function PolicyPane() {
  const t = useTexts(texts);
  const server = useServer();
  const { view } = useView<RightsAddress>();
  const policy = useQuery(accessPolicyQuery(server, {}));
  const isAsked = view.user !== undefined || view.role !== undefined;
  const explained = useQuery({ ...accessPolicyQuery(server, view), enabled: isAsked });
  return (
    <section>
      <PaneHead name={t.title} note={t.note} isSpaced />
      <Pane query={policy}>
        {(known) => (
          <>
            <Question policy={known} />
            {isAsked && <Pane query={explained}>{(answer) => <Explanation policy={answer} />}</Pane>}
            <PolicyTables policy={known} />
          </>
        )}
      </Pane>
    </section>
  );
}

function Question({ policy }: { policy: AccessPolicyAnswer }) {
  const t = useTexts(texts);
  const { compare } = useFormats();
  const id = useId();
  const { view, change } = useView<RightsAddress>();
  const { user, role, part = '/' } = view;
  const index = useQuery(planIndexQuery(useServer()));
  const parts = (index.data?.search(part, MAX_PARTS) ?? []).filter(({ kind }) => kind === 'part');
  const chosen = user === undefined ? (role === undefined ? '' : `role ${role}`) : `user ${user}`;
  const names = (items: readonly { name: string }[]) => items.map(({ name }) => name).toSorted(compare);
  return (
    <div className={styles.question}>
      <label className={fieldStyles.labelled}>
        {t.who}
        <select
          value={chosen}
          onChange={({ target: { value } }) => {
            const name = value.slice(5);
            change({ user: value.startsWith('user ') ? name : undefined, role: value.startsWith('role ') ? name : undefined });
          }}
        >
          <option value="">{t.nobody}</option>
          <optgroup label={t.users}>
            {names(policy.users).map((name) => (
              <option key={name} value={`user ${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
          <optgroup label={t.roles}>
            {names(policy.roles).map((name) => (
              <option key={name} value={`role ${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <label className={fieldStyles.labelled}>
        {t.part}
        <input
          list={`${id}parts`}
          value={part}
          placeholder={t.wholePlan}
          title={t.wholePlan}
          onChange={({ target: { value } }) => change({ part: value === '/' || value === '' ? undefined : value }, { isStep: false })}
        />
        <datalist id={`${id}parts`}>
          {parts.map(({ uuid, path }) => (
            <option key={uuid} value={plainPathOf(path)} />
          ))}
        </datalist>
      </label>
    </div>
  );
}
