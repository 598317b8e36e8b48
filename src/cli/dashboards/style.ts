// The one style of a report, and the policy that allows no other, and nothing to be loaded.
import { createHash } from 'node:crypto';

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1a1d21; --quiet: #565d66; --line: #d9dde3; --track: #e6e9ee;
  --link: #0b5cad; --edge: #6b737d; --mark: #1a1d21;
  --below: #c0392b; --minimum: #e6a117; --meets: #2e9e4f; --exceeds: #2471a3; --none: #7b8794;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1d2126; --text: #e8eaed; --quiet: #a7afb9; --line: #343a42; --track: #2c323a;
    --link: #82b8f2; --edge: #8b949f; --mark: #f2f4f6; --none: #93a0ae;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2.5rem) 4rem; max-width: 90rem;
  background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 0; }
h3 { font-size: 1.02rem; margin: 0 0 .5rem; }
.quiet { color: var(--quiet); }
p { margin: .25rem 0; }
nav { margin: 1.5rem 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
nav h2 { font-size: 1.02rem; margin-bottom: .5rem; }
nav ul { margin: 0; padding: 0; list-style: none; } .many { columns: 16rem; column-gap: 2rem; }
nav li { break-inside: avoid; padding: .1rem 0; }
.in1 { padding-left: 1.1rem; } .in2 { padding-left: 2.2rem; } .in3 { padding-left: 3.3rem; } .in4 { padding-left: 4.4rem; }
.unit { border-top: 2px solid var(--line); margin-top: 2.5rem; padding-top: 1.25rem; }
.areas { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: 1rem; margin-top: 1rem; }
.area { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; min-width: 0; }
.area ul { margin: 0; padding: 0; list-style: none; }
.area li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .6rem; padding: .22rem 0; }
.area li svg { flex-basis: 100%; margin: .15rem 0 .3rem; }
.told { margin-left: auto; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.told .quiet, li span > .quiet { margin-inline: .2rem; } .told .quiet:last-child { margin-right: 0; }
b { font-weight: 600; white-space: nowrap; } small b { font-weight: 400; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem 1rem .35rem 0; text-align: left; vertical-align: middle; font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
svg { display: block; width: 100%; height: .7rem; overflow: visible; }
.track { fill: var(--track); stroke: var(--edge); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.mark { stroke: var(--mark); stroke-width: 2px; vector-effect: non-scaling-stroke; fill: none; }
.cut { stroke: var(--card); stroke-width: 2px; vector-effect: non-scaling-stroke; fill: none; }
.below { fill: var(--below); } .minimum { fill: var(--minimum); } .meets { fill: var(--meets); }
.exceeds { fill: var(--exceeds); } .none { fill: var(--none); }
.stack { margin-bottom: .5rem; } .stack svg { height: 1.3rem; }
.blank { color: var(--quiet); margin-top: .75rem; }
h4 { font-size: .92rem; margin: 0 0 .2rem; }
.note { font-size: .7em; vertical-align: super; text-decoration: none; padding: 0 .2em; }
.personal { border-left: 4px solid var(--minimum); padding-left: .6rem; margin-top: .6rem; }
.first { margin-top: 1.5rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.first h3 { margin: 1rem 0 .3rem; } .first ol, .first ul, .notes ol { margin: 0; padding-left: 1.4rem; }
.first ul { columns: 24rem; column-gap: 2.5rem; } .first li, .lists li { break-inside: avoid; padding: .1rem 0; }
.unmet { margin-top: 1rem; }
.lists { columns: 21rem; column-gap: 2.5rem; } .lists > div { margin-bottom: .9rem; } .lists h4 { break-after: avoid; }
.notes li { margin: .4rem 0; max-width: 75ch; }
.people, .wide { margin-top: 1rem; padding: .9rem 1rem; } .wide { margin-top: 1.5rem; }
.people table { table-layout: fixed; overflow-wrap: normal; } td svg + small { margin-top: .2rem; } th small { font-weight: 400; } .wide table { margin-top: .6rem; overflow-wrap: normal; }
thead th { font-weight: 600; border-bottom: 1px solid var(--line); vertical-align: bottom; }
.people thead th:first-child { width: 22%; } tbody tr + tr > * { border-top: 1px solid var(--line); }
td small, th small { color: var(--quiet); display: block; font-size: .85em; line-height: 1.3; }
.wide td { vertical-align: top; } .wide tbody th { vertical-align: top; }
.low { box-shadow: inset 3px 0 var(--below); padding-left: .5rem; }
.people svg { height: .55rem; }
@media (max-width: 64rem) { .wide table, .people table { font-size: .85rem; } .area th, .area td { padding-right: .5rem; } }
@media screen and (max-width: 46rem) {
  /* A record is a block, each cell with the title of its column. */
  table, tbody, tr { display: block; } thead { display: none; }
  tbody th { display: block; font-weight: 600; padding: .6rem 0 .2rem; }
  tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 0 1rem; padding-bottom: .5rem; }
  tbody th { grid-column: 1 / -1; } tbody td { display: block; padding: .3rem 0; } tbody td:empty { display: none; }
  tbody td.low { padding-left: .5rem; } tbody tr > td { border-top: 0 !important; }
  td[data-label]::before { content: attr(data-label); display: block; color: var(--quiet); font-size: .82rem; }
}
@media (max-width: 30rem) {
  body { padding-top: 1rem; } h1 { font-size: 1.6rem; }
  .area li { font-size: .9rem; } .areas { gap: .7rem; } .area { padding: .7rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #bbb; --track: #eee; --link: #000; --mark: #000; --edge: #666; }
  body { padding: 0; font-size: 9.5pt; max-width: none; }
  .areas .area, tr { break-inside: avoid; } h2, h3, h4, .unit > p { break-after: avoid; }
  .areas { grid-template-columns: 1fr 1fr; gap: .5rem; } .area { padding: .5rem .7rem; } .areas, .people, .unmet { margin-top: .5rem; }
  .unit { margin-top: 1.2rem; padding-top: .7rem; } .wide th, .wide td, .people th, .people td { padding-right: .5rem; }
  nav { display: none; } .wide table, .people table { font-size: 8pt; } .lists { columns: 2; } .first ul { columns: 2; }
  .top { display: none; } svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
