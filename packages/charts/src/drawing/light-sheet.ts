/** Looks of the roles in the light colours of the console, for `svgOf`; the test of the drawings writes them from its style sheets. */
export const LIGHT_SHEET = `
.hollow { fill: none; stroke: currentColor; stroke-width: 1.5; }
.cross { fill: none; stroke: currentColor; stroke-width: 1.75; }
.figure { display: block; overflow: visible; font: 12px / 1 'SF Pro Text', 'Segoe UI Variable Text', 'Segoe UI', 'Helvetica Neue', Roboto, 'Liberation Sans', Arial, system-ui, sans-serif; font-variant-numeric: tabular-nums lining-nums; }
.figure path { fill: none; }
.grid { stroke: #eae9e3; stroke-width: 1; shape-rendering: crispEdges; }
.tick, .ruler { stroke: #83888d; stroke-width: 1; shape-rendering: crispEdges; }
.tolerance { stroke: #14171a; stroke-width: 1.25; }
.hatch { stroke: #83888d; stroke-width: 1; }
.warning { stroke: #454b51; stroke-width: 1.25; stroke-dasharray: 1.25 3.25; }
.control { stroke: #0b4f8f; stroke-width: 1.25; stroke-dasharray: 6 4; }
.denseSteps { stroke: #0b4f8f; stroke-width: 0.75; stroke-opacity: 0.5; }
.mean { stroke: #0b4f8f; stroke-width: 1.25; }
.nominal { stroke: #62686f; stroke-width: 1; stroke-dasharray: 14 3 2 3; }
.leader { stroke: #83888d; stroke-width: 1; }
.figure path.noteMark { fill: #ffffff; stroke: #14171a; stroke-width: 1.25; }
.figure path.noteSpan { stroke: #14171a; stroke-width: 3; }
.figure path.alarmMark { fill: #c1241a; }
.figure path.alarmSpan { stroke: #c1241a; stroke-width: 2; }
.event { stroke: #14171a; stroke-width: 1; shape-rendering: crispEdges; }
.edge, .hit { stroke: #0b4f8f; stroke-width: 1; shape-rendering: crispEdges; }
.range { stroke: #80868c; stroke-width: 1; shape-rendering: crispEdges; }
.stem { stroke: #80868c; stroke-width: 1; }
.trace { stroke: #14171a; stroke-width: 1.25; stroke-linejoin: round; }
.strongTrace { stroke: #14171a; stroke-width: 1.5; stroke-linejoin: round; }
.thinTrace { stroke: #62686f; stroke-width: 1; stroke-linejoin: round; }
.otherTrace { stroke: #80868c; stroke-width: 1; stroke-linejoin: round; }
.fit { stroke: #0b4f8f; stroke-width: 1.5; }
.paperEdge { stroke: #fbfbf8; stroke-width: 3px; stroke-linejoin: round; }
.figure .dots { fill: #14171a; }
.figure .spots, .figure .bar { fill: #80868c; }
.figure .bars { fill: #80868c; shape-rendering: crispEdges; }
.figure .warningBar { fill: #925a00; }
.figure .outBar { fill: #c1241a; }
.outlined { fill: #14171a; stroke: #fbfbf8; stroke-width: 1; }
.figure .outlinedComputed { fill: #0b4f8f; stroke: #fbfbf8; stroke-width: 1; }
.outline { stroke: #14171a; stroke-width: 1.25; }
.figure .pointMark path, .pointMark { fill: #454b51; }
.figure .warningMark path, .warningMark { fill: #925a00; color: #925a00; }
.figure .outMark path { fill: #c1241a; }
.excludedMark { color: #75608a; }
.ruleMark { color: #0b4f8f; }
.figure .slot0 { fill: #0b5fb0; }
.figure .slot1 { fill: #b4530a; }
.figure .slot2 { fill: #0f766e; }
.figure .slot3 { fill: #a21caf; }
.figure .slot4 { fill: #66720b; }
.figure .slot5 { fill: #5b4bc4; }
.figure .slot6 { fill: #7c4a2d; }
.figure .others { fill: #80868c; }
.figure text { fill: #454b51; }
.figure .axisText { fill: #62686f; }
.figure .strongText { fill: #14171a; font-weight: 600; }
.figure .labelText { fill: #14171a; }
.figure .softText { fill: #62686f; }
.figure .noteText { fill: #454b51; }
.figure .outText { fill: #c1241a; }
.figure .excludedText { fill: #75608a; }
.figure .computedText { fill: #0b4f8f; }
.figure .heavy { font-weight: 600; }
.figure text.halo { stroke: #fbfbf8; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.figure path.window { fill: #e3ecf5; }
.figure path.handle { fill: #fbfbf8; stroke: #0b4f8f; stroke-width: 1; }
.bracket { stroke: #0b4f8f; stroke-width: 1.5; }
.line { stroke: #454b51; stroke-width: 1; }
.computedLine { stroke: #0b4f8f; stroke-width: 1; }
svg path.arrow { fill: #454b51; }
svg path.computedArrow { fill: #0b4f8f; }
svg path.clear { fill: #fbfbf8; }
.computedWhisker { stroke: #0b4f8f; stroke-width: 1.25; }
svg path.body { fill: #fbfbf8; stroke: #14171a; stroke-width: 1.25; }
.median { stroke: #14171a; stroke-width: 2.5; }
.groupBody { stroke: #14171a; stroke-width: 1; }
.groupMedian { stroke: #14171a; stroke-width: 2; }
.inCell { stroke: #80868c; }
.warningCell { stroke: #925a00; }
.outCell { stroke: #c1241a; }
.noDataCell { stroke: #62686f; }
`;
