// By what Harbour Works measures itself: each metric with its values in the last quarter and in this one.

export interface Measure {
  readonly key: string;
  /** The department's, project's or individual's. */
  readonly owner: readonly [kind: 'organization' | 'project' | 'individual', key: string];
  readonly name: string;
  readonly text: string;
  readonly format: string;
  /** Minimum, meets, exceeds; falling ones where smaller is better, none where the site's count. */
  readonly thresholds?: readonly [number, number, number];
  /** One of the few that matter most. */
  readonly key8020?: true;
  /** Two of the last quarter, then up to two of this one. */
  readonly values: readonly number[];
}

const of =
  (kind: Measure['owner'][0]) =>
  (owner: string, key: string, name: string, more: Omit<Measure, 'key' | 'owner' | 'name'>): Measure => ({
    key,
    owner: [kind, owner],
    name,
    ...more,
  });
const department = of('organization');
const project = of('project');
const individual = of('individual');

/** Given in percent; the format multiplies by a hundred. */
const share = (
  text: string,
  [minimum, meets, exceeds]: readonly [number, number, number],
  values: readonly number[],
) => ({
  text,
  format: '0.0 %',
  thresholds: [minimum / 100, meets / 100, exceeds / 100] as const,
  values: values.map((one) => one / 100),
});
const key8020 = true as const;

export const MEASURES: readonly Measure[] = [
  department('company', 'orders', 'Orders in the book', {
    text: 'Ferries that are ordered and not yet delivered.',
    format: '0',
    thresholds: [4, 6, 8],
    key8020,
    values: [5, 5, 6, 7],
  }),
  department('company', 'on-time', 'Delivered on the day', {
    ...share('Ferries and parts that left on the day that was named.', [80, 90, 98], [84, 91, 93, 92.5]),
    key8020,
  }),
  department('company', 'injuries', 'Accidents with lost days', {
    text: 'In the twelve months before.',
    format: '0',
    thresholds: [3, 1, 0],
    values: [2, 2, 1, 1],
  }),
  department('engineering', 'changes', 'Changes after release', {
    text: 'Drawings that came back from the hall, for each hull.',
    format: '0.#',
    thresholds: [40, 25, 15],
    key8020,
    values: [38, 33, 30.5, 27],
  }),
  department(
    'engineering',
    'releases',
    'Drawings released in time',
    share('Of those planned.', [70, 85, 95], [81, 88, 90]),
  ),
  department('hull-design', 'drag', 'Drag against the model', {
    text: 'Measured in the tank; 100 is the model.',
    format: '0.0',
    thresholds: [104, 101, 98],
    values: [103.5, 102, 100.4, 99.2],
  }),
  department('electric-drives', 'efficiency', 'Shore to propeller', {
    ...share('How much of what is charged moves the ferry.', [84, 87, 90], [86.1, 87.4, 88, 88.3]),
    key8020,
  }),
  department('battery-lab', 'cycles', 'Cycles to 80 %', {
    text: 'Of the newest module on the bench.',
    format: '#,##0',
    thresholds: [4000, 5000, 6000],
    key8020,
    values: [4650, 4900, 5350, 6120],
  }),
  department('production', 'weeks', 'Weeks for a hull', {
    text: 'From the first plate to float-out.',
    format: "0.0 'weeks'",
    thresholds: [12, 9, 8],
    key8020,
    values: [11.5, 10.5, 10, 9.5],
  }),
  department('production', 'hours', 'Hours against plan', {
    text: 'In percent of the hours planned, fewer is better.',
    format: '0',
    thresholds: [115, 103, 97],
    values: [118, 112, 109, 104],
  }),
  department('hull-shop', 'seams', 'Seams passed the first time', {
    ...share('Of all seams tested.', [94, 97, 99], [96.2, 97.1, 97.8, 98.1]),
    key8020,
  }),
  department('hull-shop', 'scrap', 'Scrap', share('Of the aluminium that was cut.', [9, 6, 4], [8.2, 7.7, 6.9, 6.4])),
  department('outfitting', 'open', 'Open points at sea trial', {
    text: 'For each ferry.',
    format: '0',
    thresholds: [60, 40, 20],
    values: [72, 66, 64, 61],
  }),
  department('quality', 'claims', 'Claims', {
    text: 'Within the first year, for each ferry.',
    format: '0.0',
    thresholds: [6, 4, 2],
    key8020,
    values: [4.5, 4, 3.2, 3],
  }),
  department('quality', 'audits', 'Audits passed', {
    text: 'In percent; the thresholds are those of the site.',
    format: '0',
    values: [90, 88, 92, 96],
  }),
  department('sea-trials', 'days', 'Days of trial', {
    text: 'Until the papers are signed.',
    format: '0',
    thresholds: [21, 14, 10],
    values: [20, 16, 15],
  }),
  department('sales', 'offers', 'Offers won', {
    ...share('Of those that were decided.', [20, 30, 40], [25, 22, 18, 17.5]),
    key8020,
  }),
  department('service', 'answers', 'First answer', {
    text: 'Hours until a harbour that calls has an answer.',
    format: "0.0 'h'",
    thresholds: [8, 4, 2],
    key8020,
    values: [5.5, 4.1, 3.9, 3.2],
  }),
  department(
    'service',
    'spares',
    'Parts in 48 hours',
    share('Of the parts ordered.', [75, 85, 95], [78, 83, 90, 95.5]),
  ),
  department('people', 'talks', 'Talks held', {
    text: 'In percent of those agreed on; the thresholds are those of the site.',
    format: '0',
    values: [70, 74, 78],
  }),
  project('ferry-12', 'ferry-hours', 'Hours used', {
    text: 'In percent of the hours planned, fewer is better.',
    format: '0',
    thresholds: [110, 100, 95],
    key8020,
    values: [92, 97, 101, 104],
  }),
  project('drive-12', 'drive-noise', 'Noise on deck', {
    text: 'At cruising speed.',
    format: "0.0 'dB'",
    thresholds: [64, 60, 57],
    values: [66, 63.5, 61.2],
  }),
  project('module-2', 'module-weight', 'Weight of a module', {
    text: 'In kilograms.',
    format: "#,##0 'kg'",
    thresholds: [420, 380, 350],
    key8020,
    values: [410, 402, 388, 379],
  }),
  individual('lina.zhou', 'lina-samples', 'Cells tested', {
    text: 'Each month.',
    format: '0',
    thresholds: [60, 80, 100],
    values: [74, 82, 88],
  }),
  individual('kwame.asante', 'kwame-seams', 'Metres welded', {
    text: 'Each week.',
    format: '#,##0.0',
    thresholds: [120, 150, 180],
    values: [149, 158, 161, 166.5],
  }),
  individual('matteo.gallo', 'matteo-calls', 'Visits to harbours', {
    text: 'Each month.',
    format: '0',
    thresholds: [4, 6, 8],
    values: [5, 4, 3, 3],
  }),
];
