import { type Compared, isOut } from '@sinebar/charts';
import type { GroupedBy } from '@sinebar/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { Boxes, Course, Scatter } from '../../charts/comparison/comparison-charts';
import { pictureOf } from '../../charts/export/picture';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, Rare } from '../../design/layout/lines';
import { Page } from '../../design/page/page';
import { PaneHead } from '../../design/page/pane-head';
import { PaperFoot } from '../../design/page/paper-foot';
import { useWidth } from '../../design/page/use-width';
import { AsProgram } from '../../design/program/program';
import { Failed, Pane, Skeleton } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import { ExportMenu } from '../../quality/export/export-menu';
import { SplitAndFilter } from '../../quality/conditions/split-and-filter';
import { GroupLegend } from '../../quality/groups/group-legend';
import { GroupSection } from '../../quality/groups/group-section';
import { statusFrom } from '../../quality/values/limits';
import { familyText } from '../../quality/values/process';
import { processTexts } from '../../quality/values/process-texts';
import { useView } from '../../server/use-view';
import { AddCharacteristic } from './add-characteristic';
import { Correlation } from './correlation';
import type { CompareSearch } from './search';
import { texts } from './texts';
import { COURSE_POINTS, selectionOf, useCompared } from './use-compared';
import { useReported } from './use-reported';
import styles from './compare.module.css';
import { Nothing } from '../../design/states/nothing';
import textStyles from '../../design/styles/text.module.css';

/** Most characteristics whose courses are drawn in one row. */
const IN_A_ROW = 4;
/** Least width of a course, px. */
const COURSE_WIDTH = 280;
const GAP = 20;
const AXIS_WIDTH = 36;
const VIEWS = ['all', 'course', 'boxes', 'scatter'] as const;

/** Several characteristics side by side: courses, distributions, correlation. */
export function ComparePage() {
  const { view: search } = useView<Required<CompareSearch>>();
  const t = useTexts(texts);
  const formats = useFormats();
  const data = useCompared(search);
  const [width, measure] = useWidth();
  const charts = useRef<HTMLDivElement>(null);
  const count = data.uuids.length;
  const title = count === 0 ? t.title : count === 1 ? t.oneCompared : t.compared(formats.count(count));
  const view = search.view ?? 'all';
  const isShown = (part: 'course' | 'boxes' | 'scatter') => view === 'all' || view === part;
  return (
    <Page
      title={title}
      tabs={
        <nav aria-label={t.views} className={styles.tabs}>
          {VIEWS.map((name) => (
            <Link key={name} to="/compare" search={{ ...search, view: name }} {...(name === view && { 'aria-current': 'page' as const })}>
              {t[name]}
            </Link>
          ))}
        </nav>
      }
    >
      <Chips search={search} compared={data.compared} />
      <OptionsLine actions={<Actions search={search} compared={data.compared} picture={charts} title={title} />}>
        <SplitAndFilterValues search={search} />
      </OptionsLine>
      {count === 0 ? (
        <Nothing title={t.emptyTitle}>{t.emptyText}</Nothing>
      ) : (
        <div ref={measure}>
          {data.error !== undefined && <Failed error={data.error} onRetry={data.retry} />}
          {data.compared.length === 0 && data.isLoading && <Skeleton rows={10} />}
          {width !== undefined && data.compared.length > 0 && (
            <div ref={charts} data-charts={data.isLoading ? 'waiting' : 'drawn'}>
              {search.split !== undefined && data.divided && <GroupLegend by={search.split} divided={data.divided} />}
              {isShown('course') && <Courses compared={data.compared} width={width} />}
              <GroupsOfAll data={data} search={search} />
              <Lower data={data} search={search} width={width} hasBoxes={isShown('boxes')} hasScatter={isShown('scatter')} />
            </div>
          )}
          <PaperFoot />
        </div>
      )}
    </Page>
  );
}

function Chips({ search, compared }: { search: CompareSearch; compared: readonly Compared[] }) {
  const navigate = useNavigate();
  const t = useTexts(texts);
  const show = (uuids: readonly string[]) => {
    const { characteristics: _, pair: __, ...rest } = search;
    void navigate({ to: '/compare', search: { ...rest, ...(uuids.length > 0 && { characteristics: uuids.join(',') }) } });
  };
  const uuids = compared.map(({ uuid }) => uuid);
  return (
    <div className={styles.chips}>
      <ul aria-label={t.chosen} className={styles.chipList}>
        {compared.map(({ uuid, name, parentName, summary }) => (
          <li key={uuid} className={styles.chip}>
            <Link
              to="/parts/$partUuid/characteristics/$characteristicUuid"
              params={{ partUuid: summary.partUuid, characteristicUuid: uuid }}
            >
              <span className={textStyles.soft}>{parentName}</span> <strong>{name}</strong>
            </Link>
            <Button kind="quiet" aria-label={t.remove(name)} onPress={() => show(uuids.filter((other) => other !== uuid))}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <AddCharacteristic chosen={uuids} onAdd={(uuid) => show([...uuids, uuid])} />
    </div>
  );
}

/** Splits and filters by the names of attributes; the address keeps the choice. */
function SplitAndFilterValues({ search }: { search: CompareSearch }) {
  const navigate = useNavigate();
  const { split, condition, ...others } = search;
  const choose = (next: { split?: GroupedBy | undefined; condition?: string | undefined }) => {
    const chosen = Object.fromEntries(Object.entries({ split, condition, ...next }).filter(([, value]) => value !== undefined));
    void navigate({ to: '/compare', search: { ...others, ...chosen }, resetScroll: false });
  };
  return (
    <SplitAndFilter
      isInToolbar
      condition={condition}
      onFilter={(text) => choose({ condition: text })}
      by={split}
      onSplit={(by) => choose({ split: by })}
    />
  );
}

/** The groups of each characteristic, where the values are split. */
function GroupsOfAll({ data, search: { split } }: { data: ReturnType<typeof useCompared>; search: CompareSearch }) {
  if (split === undefined) return null;
  return data.compared.map(({ uuid, name, summary, decimals, unit, shown }) => {
    const query = data.groupsOf(uuid);
    return (
      query && (
        <GroupSection
          key={uuid}
          of={name}
          by={split}
          query={query}
          {...(data.divided && { known: data.divided.slots })}
          limits={summary.limits}
          decimals={decimals}
          unit={unit}
          isMixed={shown.slots !== undefined && shown.entries.some(({ group }) => group === undefined)}
        />
      )
    );
  });
}

interface ActionsProps {
  search: CompareSearch;
  compared: readonly Compared[];
  picture: React.RefObject<HTMLDivElement | null>;
  title: string;
}

function Actions({ search, compared, picture, title }: ActionsProps) {
  const t = useTexts(texts);
  const selection = selectionOf(search);
  const reported = useReported(compared, search);
  const requests = compared.flatMap(({ uuid, name }) => [
    { title: `${name}, ${t.figures}`, path: `/analysisServiceRest/characteristics/${uuid}/summary`, query: selection },
    {
      title: `${name}, ${t.values}`,
      path: `/analysisServiceRest/characteristics/${uuid}/series`,
      query: { ...selection, points: COURSE_POINTS },
    },
  ]);
  const table = () => ({
    head: ['part', 'characteristic', 'count', 'minimum', 'mean', 'median', 'maximum', 'standardDeviation', 'ppk'],
    rows: compared.map(({ name, parentName, summary }) => {
      const { count, mean, median, standardDeviation, capability, minimum, maximum } = summary;
      return [parentName, name, count, minimum, mean, median, maximum, standardDeviation, capability?.pk?.value];
    }),
  });
  const savedPicture = async () => (picture.current ? pictureOf({ element: picture.current, lines: [title, location.href] }) : undefined);
  return (
    <Rare>
      <AsProgram requests={requests} answer={compared[0]?.summary} />
      <ExportMenu title={[title]} table={table} picture={savedPicture} canPrint reported={reported} />
    </Rare>
  );
}

function Courses({ compared, width }: { compared: readonly Compared[]; width: number }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const inRow = Math.min(compared.length, IN_A_ROW, Math.max(1, Math.floor(width / COURSE_WIDTH)));
  // The name of a part that all share stands in the chips above.
  const hasParts = compared.some(({ parentName }) => parentName !== compared[0]?.parentName);
  const plot = Math.floor((width - AXIS_WIDTH - GAP * (inRow - 1)) / inRow);
  return (
    <section>
      <div className={styles.paneHead}>
        <PaneHead name={t.course} note={t.courseNote} />
      </div>
      <div className={styles.courses} style={{ columnGap: GAP }}>
        {compared.map((item, i) => {
          const newest = item.series.newest?.at(-1);
          const hasAxis = i % inRow === 0;
          const { pk, model } = item.summary.capability ?? {};
          const out = newest !== undefined && isOut(newest.status);
          return (
            <div key={item.uuid} style={{ width: plot + (hasAxis ? AXIS_WIDTH : 0) }}>
              <p className={styles.courseName} style={{ paddingLeft: hasAxis ? AXIS_WIDTH : 0 }}>
                <Glyph name={statusFrom(newest?.status, item.summary.limits)} />
                <span title={item.name}>{item.name}</span> {hasParts && <span className={textStyles.soft}>{item.parentName}</span>}
              </p>
              <p className={styles.courseFigures} style={{ paddingLeft: hasAxis ? AXIS_WIDTH : 0 }}>
                {newest && <strong className={out ? styles.out : ''}>{formats.number(newest.value, item.decimals)}</strong>}
                <span>{item.unit}</span>
                {pk && (
                  <span>
                    {pk.name} {model && <span className={textStyles.note}>{familyText({ model }, words)} </span>}
                    {formats.number(pk.value, 2)}
                  </span>
                )}
              </p>
              <Course all={compared} chosen={item} width={plot + (hasAxis ? AXIS_WIDTH : 0)} height={204} hasAxis={hasAxis} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

interface LowerProps {
  data: ReturnType<typeof useCompared>;
  search: CompareSearch;
  width: number;
  hasBoxes: boolean;
  hasScatter: boolean;
}

function Lower({ data, search, width, hasBoxes, hasScatter }: LowerProps) {
  const navigate = useNavigate();
  const formats = useFormats();
  const t = useTexts(texts);
  const { compared, pair, correlation } = data;
  const [first, second] = (pair ?? []).map((uuid) => compared.find((item) => item.uuid === uuid));
  const isWide = width >= 1080;
  const boxes = isWide && hasScatter ? Math.round(width * 0.493) : Math.min(width, 760);
  const scatter = isWide && hasBoxes ? Math.round(width * 0.306) : Math.min(width, 560);
  return (
    <div className={styles.lower}>
      {hasBoxes && (
        <section style={{ width: boxes }}>
          <div className={styles.paneHead}>
            <PaneHead name={t.distribution} note={t.distributionNote} />
          </div>
          <Boxes all={compared} width={boxes} height={Math.max(160, Math.min(384, 44 + compared.length * 85))} />
        </section>
      )}
      {hasScatter && first && second && (
        <Pane query={correlation}>
          {(answer) => (
            <>
              <section style={{ width: scatter }}>
                <div className={`${styles.paneHead} ${styles.wrapped}`}>
                  <PaneHead
                    name={t.against(second.name, first.name)}
                    note={t.points(formats.count(answer.points.length), formats.count(answer.count))}
                  />
                </div>
                <Scatter first={first} second={second} correlation={answer} width={scatter} height={384} />
              </section>
              <Correlation
                first={first}
                second={second}
                answer={answer}
                compared={compared}
                correlationOf={(a, b) => data.correlationOf(a, b)?.data?.pearson?.value}
                onPair={(a, b) => void navigate({ to: '/compare', search: { ...search, pair: `${a},${b}` }, resetScroll: false })}
              />
            </>
          )}
        </Pane>
      )}
    </div>
  );
}
