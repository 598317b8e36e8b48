// The look of a report: light and dark, on a screen and on paper. It is the page's only style sheet.

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
b { font-weight: 600; } small b { font-weight: 400; }
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
.people { margin-top: 1rem; overflow-x: auto; padding: .9rem 1rem; }
.people table { min-width: 52rem; table-layout: fixed; }
.people thead th { font-weight: 600; border-bottom: 1px solid var(--line); vertical-align: bottom; }
.people thead th:first-child { width: 22%; } .people tbody tr + tr > * { border-top: 1px solid var(--line); }
.people small { color: var(--quiet); display: block; font-size: .82rem; }
.people svg { height: .55rem; }
@media (max-width: 30rem) {
  body { padding-top: 1rem; } h1 { font-size: 1.6rem; }
  .area li { font-size: .9rem; } .areas { gap: .7rem; } .area { padding: .7rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #bbb; --track: #eee; --link: #000; --mark: #000; --edge: #666; }
  body { padding: 0; font-size: 9.5pt; max-width: none; }
  .area, .people tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .areas { grid-template-columns: 1fr 1fr; } .people { overflow: visible; } .people table { min-width: 0; }
  .top { display: none; } svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
