import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { Key, TextField } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { THUMB, useCoarse } from '../../design/page/use-coarse';
import { Failed, isWithdrawn, Skeleton } from '../../design/states/pane-state';
import { CutName } from '../../design/layout/cut-name';
import { toldFrom } from '../../design/layout/told-from';
import { Glyph } from '../../design/status/glyph';
import { planCountsQuery } from '../../server/queries/plan-queries';
import { useServer } from '../../server/server';
import { useMay } from '../../server/session/use-session';
import { FilteredPlan } from './filtered-plan';
import styles from './plan-tree.module.css';
import { moveBy, rowTyped, worstOf, type PlanRow } from './plan-rows';
import { texts } from './texts';
import { usePlanRows, type PlanRows } from './use-plan-rows';

const ROW_PX = 26;
/** Level below which the indentation stops growing, so that names keep their room. */
const MAX_INDENTED_LEVEL = 8;
/** Letters that are typed within this time belong together, ms. */
const TYPING_MS = 600;

/** The plan at the left of every page, with its filter. */
export function PlanTree({ filterRef }: { filterRef: RefObject<HTMLInputElement | null> }) {
  const t = useTexts(texts);
  const [filter, setFilter] = useState('');
  const plan = usePlanRows();
  return (
    <nav className={styles.tree} aria-label={t.plan} data-testid="plan">
      <div className={styles.find}>
        <TextField
          label={t.filter}
          isLabelHidden
          placeholder={t.filter}
          value={filter}
          onChange={setFilter}
          inputRef={filterRef}
          after={<Key>/</Key>}
          onKeyDown={(event) => event.key === 'Escape' && setFilter('')}
        />
      </div>
      {filter.trim() === '' ? <Levels plan={plan} /> : <FilteredPlan text={filter} />}
      <Foot />
    </nav>
  );
}

function Levels({ plan }: { plan: PlanRows }) {
  if (plan.isLoading) {
    return (
      <div className={styles.state}>
        <Skeleton rows={8} />
      </div>
    );
  }
  if (plan.error !== null && (plan.rows.length === 0 || isWithdrawn(plan.error))) {
    return (
      <div className={styles.state}>
        <Failed error={plan.error} onRetry={plan.retry} />
      </div>
    );
  }
  return <Rows plan={plan} />;
}

/** The rows that are in view; keys move a mark, and the focus stays on the whole. */
function Rows({ plan: { rows, selected, toggle } }: { plan: PlanRows }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState<string>();
  const typed = useRef({ text: '', at: 0 });
  const current = Math.max(
    rows.findIndex(({ node }) => node.uuid === (marked ?? selected)),
    0,
  );
  const rowHeight = useCoarse() ? THUMB : ROW_PX;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  // The page may show an item whose row is far below, or not loaded yet.
  const selectedIndex = rows.findIndex(({ node }) => node.uuid === selected);
  const scrolledTo = useRef<string>(undefined);
  useEffect(() => {
    if (selectedIndex < 0 || scrolledTo.current === selected) return;
    scrolledTo.current = selected;
    virtual.scrollToIndex(selectedIndex);
  });

  const mark = (index: number) => {
    setMarked(rows[index]?.node.uuid);
    virtual.scrollToIndex(index);
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[current];
    if (event.ctrlKey || event.metaKey || event.altKey || row === undefined) return;
    if (event.key === 'Enter') {
      void navigate(addressOf(row));
    } else if (event.key.length === 1 && /\p{L}|\p{N}/u.test(event.key)) {
      const now = performance.now();
      typed.current = { text: now - typed.current.at < TYPING_MS ? typed.current.text + event.key : event.key, at: now };
      const found = rowTyped(typed.current.text, rows, current);
      if (found !== undefined) mark(found);
    } else {
      const move = moveBy(event.key, rows, current);
      if (move === undefined) return;
      if ('to' in move) mark(move.to);
      else if ('open' in move) toggle(move.open, true);
      else toggle(move.close, false);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const isDrawn = virtual.getVirtualItems().some(({ index }) => index === current);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={t.plan}
      tabIndex={0}
      aria-activedescendant={isDrawn ? `plan-${rows[current]?.node.uuid}` : undefined}
      className={styles.rows}
      onKeyDown={press}
      onBlur={() => setMarked(undefined)}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as PlanRow;
          return (
            <TreeRow
              key={row.node.uuid}
              row={row}
              told={toldFrom(row.node.name, [rows[index - 1]?.node.name, rows[index + 1]?.node.name])}
              top={start}
              isSelected={row.node.uuid === selected}
              isMarked={marked !== undefined && index === current}
              onToggle={() => toggle(row.node.uuid, !row.isOpen)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface TreeRowProps {
  row: PlanRow;
  /** Index in the name from which on it differs from its neighbours. */
  told: number;
  top: number;
  isSelected: boolean;
  isMarked: boolean;
  onToggle: () => void;
}

function TreeRow({ row, told, top, isSelected, isMarked, onToggle }: TreeRowProps) {
  const { count } = useFormats();
  const { node, level, position, siblings, isOpen } = row;
  const indent = level === 1 ? 12 : 26 + (Math.min(level, MAX_INDENTED_LEVEL) - 2) * 18;
  return (
    <Link
      {...addressOf(row)}
      id={`plan-${node.uuid}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isSelected}
      {...(node.hasChildren && { 'aria-expanded': isOpen })}
      className={[styles.row, level === 1 && styles.first, isMarked && styles.marked].filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)`, paddingLeft: indent }}
    >
      <span
        aria-hidden
        className={styles.twist}
        onClick={(event) => {
          if (!node.hasChildren) return;
          event.preventDefault();
          event.stopPropagation();
          onToggle();
        }}
      >
        {node.hasChildren ? (isOpen ? '▾' : '▸') : ''}
      </span>
      <span className={styles.name} title={node.name}>
        <CutName text={node.name} toldFrom={told} />
      </span>
      {node.kind === 'part' && <span className={styles.count}>{count(node.characteristics)}</span>}
      <Glyph name={worstOf(node.statuses)} />
    </Link>
  );
}

function addressOf({ node, partUuid }: PlanRow) {
  return node.kind === 'part'
    ? ({ to: '/parts/$partUuid', params: { partUuid: node.uuid } } as const)
    : ({ to: '/parts/$partUuid/characteristics/$characteristicUuid', params: { partUuid, characteristicUuid: node.uuid } } as const);
}

function Foot() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const { data } = useQuery(planCountsQuery(useServer()));
  // The root, which counts as a part, is not shown.
  const isRootCounted = useMay('plan:read', '/');
  if (data === undefined) return <p className={styles.foot}>{'\u00A0'}</p>;
  return <p className={styles.foot}>{t.foot(count(data.parts - (isRootCounted ? 1 : 0)), count(data.characteristics))}</p>;
}
