export { freePoint, layBalloon, type Balloon } from './balloons/balloon.ts';
export { indices } from './capability/indices.ts';
export { spans } from './capability/spans.ts';
export { boxes } from './comparison/boxes.ts';
export { comparedOf, type Compared } from './comparison/compared.ts';
export { course } from './comparison/course.ts';
export { scatter } from './comparison/scatter.ts';
export { individuals } from './control/individuals.ts';
export { countRuler, limitLines, meanLines, POINTS_BEYOND, stageLimits } from './control/limit-lines.ts';
export { counts, means } from './control/means.ts';
export type { ExcludedValue } from './control/measured.ts';
export { memory } from './control/memory.ts';
export { newest } from './control/newest.ts';
export { overview, type OverviewInput, type View } from './control/overview.ts';
export { rulerOf, type Ruler } from './control/ruler.ts';
export { AXIS_WIDTH, LABELS_WIDTH, pointScale, widthOf, type Labels } from './control/ruler-pane.ts';
export { ruleNumber, runRules } from './control/run-rules.ts';
export { shownMemory, type MemoryChartAnswer } from './control/shown-memory.ts';
export {
  chartInView,
  isOfCounts,
  shownSeries,
  significantDecimals,
  type ShownEntry,
  type ShownSeries,
  type ViewTimes,
} from './control/shown-series.ts';
export { stageText } from './control/steps.ts';
export { variation } from './control/variation.ts';
export { histogram } from './distribution/histogram.ts';
export { probability } from './distribution/probability.ts';
export { elementOf, svgOf } from './drawing/elements.ts';
export { LIGHT_SHEET } from './drawing/light-sheet.ts';
export { label, vertical } from './drawing/lines.ts';
export { GLYPHS } from './drawing/marks.ts';
export type { ShownNote } from './drawing/note-marks.ts';
export { ticksOf, type Scale } from './drawing/scale.ts';
export type { Drawing, Shape } from './drawing/shapes.ts';
export { isOut, statusOf } from './drawing/value-status.ts';
export { groupBox } from './groups/group-box.ts';
export { slotShapes } from './groups/group-points.ts';
export { OTHERS, SLOTS } from './groups/group-shapes.ts';
export { decimalsOf, shownDecimals } from './language/decimals.ts';
export { formatsOf, type Formats, type Language } from './language/formats.ts';
export { modelTexts } from './language/model-texts.ts';
export { readRule, RUN_RULES, ruleMeaning, type NamedRule } from './language/rule-meaning.ts';
export { defineTexts, localeOf, textsIn, type Locale, type Texts, type TextTable } from './language/texts.ts';
export { deviationBar } from './small/deviation-bar.ts';
export { indexDot } from './small/index-dot.ts';
export { rateChart } from './small/rate-chart.ts';
export { smallMultiple, sparkline } from './small/sparkline.ts';
export { characteristicAt, spectrum, strip, type SpectrumInput } from './small/spectrum.ts';
export { countStatuses, type Status } from './small/status-columns.ts';
export { texts } from './texts.ts';
