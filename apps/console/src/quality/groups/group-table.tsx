import { OTHERS, significantDecimals } from '@sinebar/charts';
import type { GroupedBy } from '@sinebar/client';
import { GroupBox, GroupSwatch } from '../../charts/groups/group-charts';
import { useFormats, useTexts } from '../../design/language/language';
import type { Limits } from '../values/limits';
import { familyText } from '../values/process';
import { processTexts } from '../values/process-texts';
import { GroupName } from './group-name';
import { groupKey, joined, type DividedGroups, type Group } from './grouping';
import { texts } from './texts';
import { useGroupWords } from './use-group-words';
import styles from './groups.module.css';
import { Rounded } from '../../design/table/rounded';
import tableStyles from '../../design/tables/table.module.css';
import textStyles from '../../design/styles/text.module.css';

const BOX_WIDTH = 240;
const BOX_HEIGHT = 26;

export interface GroupTableProps {
  /** Name of the characteristic, where several tables stand below each other. */
  label: string;
  by: GroupedBy;
  divided: DividedGroups;
  /** Whether every group of the others has a row, too. */
  showsAll: boolean;
  limits: Limits;
  decimals: number;
  /** Shows the values of one group only; absent where its values cannot be named by a condition. */
  onOnly?: ((value: string) => void) | undefined;
}

/** Groups as rows: count, mean, spread, index with its model or rate with its interval, and box plot. */
export function GroupTable({ label, by, divided, showsAll, limits, decimals, onOnly }: GroupTableProps) {
  const t = useTexts(texts);
  const { othersName } = useGroupWords();
  const { told, others, slots } = divided;
  const all = [...told, ...others];
  const hasRates = all.some(({ rate }) => rate !== undefined);
  const indexName = hasRates ? t.rate : all.find(({ pk }) => pk !== undefined)?.pk?.name;
  const row = { by, limits, decimals, onOnly, indexName, domain: domainOf(all, limits) };
  const together = joined(others);
  return (
    <div className={styles.scrolled} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t.group}</th>
            {[t.count, t.mean, 's', t.out, ...(indexName === undefined ? [] : [indexName])].map((name) => (
              <th key={name} scope="col" className={`${tableStyles.number} ${name === 's' ? styles.minor : ''}`}>
                {name}
              </th>
            ))}
            <th scope="col" className={styles.minor}>
              {t.boxHead}
            </th>
          </tr>
        </thead>
        <tbody>
          {told.map((group) => (
            <GroupRow key={groupKey(group)} group={group} slot={slots.get(groupKey(group)) ?? OTHERS} {...row} />
          ))}
          {showsAll
            ? others.map((group) => <GroupRow key={groupKey(group)} group={group} slot={OTHERS} {...row} />)
            : together && (
                <tr>
                  <th scope="row">
                    <span className={styles.name}>
                      <GroupSwatch slot={OTHERS} />
                      {othersName(others)}
                    </span>
                  </th>
                  <Figures {...together} decimals={decimals} />
                  {indexName !== undefined && <td />}
                  <td className={styles.minor} />
                </tr>
              )}
        </tbody>
      </table>
    </div>
  );
}

interface GroupRowProps extends Pick<GroupTableProps, 'by' | 'limits' | 'decimals' | 'onOnly'> {
  group: Group;
  slot: number;
  indexName: string | undefined;
  domain: readonly [number, number];
}

function GroupRow({ group, slot, by, limits, decimals, onOnly, indexName, domain }: GroupRowProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { groupName } = useGroupWords();
  const name = groupName(by, group);
  const { value, box, mean } = group;
  const number = (measured: number) => formats.number(measured, decimals);
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>
          <GroupName name={name} slot={slot} value={value} onOnly={onOnly} />
        </span>
      </th>
      <Figures {...group} decimals={decimals} />
      {indexName !== undefined && (
        <td className={styles.index}>
          <IndexOrRate group={group} />
        </td>
      )}
      <td className={styles.minor}>
        <GroupBox
          box={box}
          mean={mean}
          limits={limits}
          domain={domain}
          width={BOX_WIDTH}
          height={BOX_HEIGHT}
          label={t.box(name, number(box.lowerQuartile), number(box.median), number(box.upperQuartile))}
        />
      </td>
    </tr>
  );
}

function Figures(props: Pick<Group, 'count' | 'mean' | 'standardDeviation' | 'outOfTolerance'> & { decimals: number }) {
  const { count, mean, standardDeviation, outOfTolerance, decimals } = props;
  const formats = useFormats();
  return (
    <>
      <td className={tableStyles.number}>{formats.count(count)}</td>
      <td className={tableStyles.number}>
        <Rounded value={mean}>{formats.number(mean, decimals + 1)}</Rounded>
      </td>
      <td className={`${tableStyles.number} ${styles.minor}`}>
        {standardDeviation !== undefined && <Rounded value={standardDeviation}>{formats.number(standardDeviation, decimals + 1)}</Rounded>}
      </td>
      <td className={`${tableStyles.number} ${outOfTolerance > 0 ? tableStyles.outOfTolerance : tableStyles.soft}`}>
        {formats.count(outOfTolerance)}
      </td>
    </>
  );
}

/** The index with the family of its model before it, as tables have it; of counts the rate with its interval. */
function IndexOrRate({ group: { pk, model, rate } }: { group: Group }) {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const formats = useFormats();
  if (rate) {
    const isOfParts = rate.unit === 'partsPerMillion';
    const written = (value: number) => (isOfParts ? formats.count(value) : formats.number(value, significantDecimals(rate.value)));
    return (
      <>
        {(isOfParts ? t.perMillion : t.perUnit)(written(rate.value))}{' '}
        <span className={textStyles.note}>{t.interval(written(rate.lower), written(rate.upper))}</span>
      </>
    );
  }
  if (!pk) return null;
  const { value, lower, upper } = pk;
  const interval = lower === undefined || upper === undefined ? '' : t.interval(formats.number(lower, 2), formats.number(upper, 2));
  return (
    <span title={interval}>
      {model !== undefined && <span className={textStyles.note}>{familyText({ model: { name: model } }, words)} </span>}
      {formats.number(value, 2)}
    </span>
  );
}

/** What all boxes show: whiskers, and limits and single values that are not far from them. */
function domainOf(groups: readonly Group[], { lowerTolerance, upperTolerance }: Limits): readonly [number, number] {
  const [low, high] = [Math.min(...groups.map(({ box }) => box.lowerWhisker)), Math.max(...groups.map(({ box }) => box.upperWhisker))];
  const reach = high - low || Math.abs(high) || 1;
  const further = [lowerTolerance, upperTolerance, ...groups.flatMap(({ minimum, maximum }) => [minimum, maximum])];
  const near = further.filter((value) => value !== undefined).filter((value) => value > low - reach && value < high + reach);
  const [from, to] = [Math.min(low, ...near), Math.max(high, ...near)];
  return from === to ? [from - reach / 2, to + reach / 2] : [from, to];
}
