// The projects of Harbour Works.
import type { Pair } from './disciplines.ts';

export interface Undertaken {
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** The department's key. */
  readonly department: string;
  readonly parent?: string;
  /** User names: the first one leads. */
  readonly team: readonly [string, ...string[]];
  readonly phase: string;
  readonly status: string;
  /** Days ago; negative ones are to come. */
  readonly begun: number;
  readonly due: number;
  readonly ended?: number;
  readonly color?: string;
  readonly label?: string;
  readonly scopes: readonly Pair[];
  /** By what it is judged; the first `reached` ones are. */
  readonly criteria: readonly Pair[];
  readonly reached: number;
  /** Given up: deleted that many days ago, with all that is below it. */
  readonly dropped?: number;
}

export const PROJECTS: readonly Undertaken[] = [
  {
    key: 'ferry-12',
    name: 'Ferry 12: Silent Crossing',
    text: 'An 80-seat ferry for the crossing to the islands, without a sound on deck.',
    department: 'production',
    team: ['margaret.oyelaran', 'pavel.novotny', 'hanna.virtanen', 'annika.weiss'],
    phase: 'Work',
    status: 'On track',
    begun: 420,
    due: -60,
    color: '2471a3',
    label: 'HW-012',
    scopes: [
      ['Vessel', 'Hull, drive, cabin and papers, ready to sail.'],
      ['Training of the crew', 'Two weeks on board with the owner’s captains.'],
      ['Not included', 'The landing stage is the city’s own project.'],
    ],
    criteria: [
      ['Below 60 dB', 'Measured on deck at cruising speed.'],
      ['Delivered on the day', 'Handed over before the season begins.'],
      ['Hours as planned', 'Within five percent.'],
    ],
    reached: 1,
  },
  {
    key: 'hull-12',
    name: 'Hull 12',
    text: 'Sections, joining, tanks, float-out.',
    department: 'hull-shop',
    parent: 'ferry-12',
    team: ['giorgos.papadakis', 'dmytro.shevchuk', 'kwame.asante', 'marta.kowalczyk', 'bogdan.ionescu'],
    phase: 'Closing',
    status: 'Done',
    begun: 400,
    due: 150,
    ended: 143,
    scopes: [['Aluminium hull', 'All welding, tanks tested, primer on.']],
    criteria: [
      ['Seams passed', 'At least 97 percent the first time.'],
      ['Float-out without rework', 'Nothing had to be opened again.'],
    ],
    reached: 2,
  },
  {
    key: 'drive-12',
    name: 'Drive Train 12',
    text: 'Motors, converters, batteries and the software between them.',
    department: 'electric-drives',
    parent: 'ferry-12',
    team: ['mei.tanaka', 'jorg.strauss', 'zofia.luczak', 'aoife.oconnell', 'lucia.pena'],
    phase: 'Work',
    status: 'At risk',
    begun: 380,
    due: 20,
    scopes: [
      ['Two drives', 'Port | starboard, each with its own battery.'],
      ['Software 4.0', 'With a way back to 3.8.'],
    ],
    criteria: [
      ['Efficiency', '88 percent from shore to propeller.'],
      ['Emergency stop', 'Within 0.2 seconds.'],
    ],
    reached: 1,
  },
  {
    key: 'charging',
    name: 'Fast Charging at Quay 3',
    text: 'From 20 to 80 % while the passengers change: seven minutes.',
    department: 'electric-drives',
    team: ['jorg.strauss', 'ruben.dewit', 'farid.haddad'],
    phase: 'Sea trial',
    status: 'On track',
    begun: 300,
    due: -30,
    color: '2e9e4f',
    label: 'Q3',
    scopes: [['Charger and arm', 'Up to the plug; the grid is the harbour’s.']],
    criteria: [
      ['Seven minutes', 'At −5 °C as well.'],
      ['Ten thousand plugs', 'No wear that can be measured.'],
    ],
    reached: 1,
  },
  {
    key: 'cable-crane',
    name: 'Cable Crane',
    text: 'Lifts the plug, so that nobody has to.',
    department: 'outfitting',
    parent: 'charging',
    team: ['siobhan.murphy', 'lucia.pena', 'rashid.karimi'],
    phase: 'Planning',
    status: 'Waiting for the customer',
    begun: 160,
    due: -90,
    scopes: [['Crane', 'With remote control, for tides of four metres.']],
    criteria: [['One hand is enough', 'Force below 20 N.']],
    reached: 0,
  },
  {
    key: 'module-2',
    name: 'Battery Module 2',
    text: 'Lighter by a third, and mended in an hour.',
    department: 'battery-lab',
    team: ['farid.haddad', 'lina.zhou', 'emre.yildiz', 'klara.svoboda'],
    phase: 'Work',
    status: 'On track',
    begun: 500,
    due: -120,
    scopes: [
      ['Module and housing', 'With cooling and sensors.'],
      ['Test bench', 'Runs day and night without anybody there.'],
    ],
    criteria: [
      ['4 000 cycles', 'With 80 percent left.'],
      ['Fire test', 'Nothing leaves the housing.'],
      ['Mended in an hour', 'By two people, on board.'],
    ],
    reached: 2,
  },
  {
    key: 'noise',
    name: 'Noise below 60 dB',
    text: 'Finds and quiets what passengers hear.',
    department: 'hull-design',
    team: ['soren.kjeldsen', 'maelle.legoff', 'priya.raman', 'camila.rojas'],
    phase: 'Work',
    status: 'At risk',
    begun: 340,
    due: 10,
    scopes: [['Deck and cabin', 'From the wheelhouse to the last bench.']],
    criteria: [['59 dB', 'In the cabin, at 12 knots.']],
    reached: 0,
  },
  {
    key: 'paperless',
    name: 'Paperless Hull Shop',
    text: 'Drawings on screens at every workplace.',
    department: 'hull-shop',
    team: ['pavel.novotny', 'sara.bergstrom', 'oskar.lindgren'],
    phase: 'Planning',
    status: 'On hold',
    begun: 250,
    due: 40,
    scopes: [['Eight screens', 'That bear sparks and gloves.']],
    criteria: [['No print-outs', 'For one whole hull.']],
    reached: 0,
  },
  {
    key: 'parts-48',
    name: 'Spare Parts within 48 Hours',
    text: 'From the call to the part on board.',
    department: 'service',
    team: ['oscar.ibanez', 'tess.vandenberg', 'ewa.zielinska'],
    phase: 'Closing',
    status: 'Done',
    begun: 620,
    due: 280,
    ended: 290,
    scopes: [['The fifty fastest parts', 'The others as before.']],
    criteria: [
      ['Nine of ten', 'In time, three months running.'],
      ['Stock below 400 000', 'Counted at the end of the quarter.'],
    ],
    reached: 2,
  },
  {
    key: 'certificate',
    name: 'Certificate for Inland Waters',
    text: 'So that our ferries may sail on rivers & lakes.',
    department: 'quality',
    team: ['annika.weiss', 'thandiwe.nkosi', 'elias.gudmundsson'],
    phase: 'Closing',
    status: 'Done',
    begun: 560,
    due: 300,
    ended: 285,
    scopes: [['Type approval', 'For all three sizes.']],
    criteria: [['Certificate in hand', 'Without conditions.']],
    reached: 1,
  },
  {
    key: 'apprentices',
    name: 'Apprentices: Six a Year',
    text: 'A workshop of their own, and a trainer in each department.',
    department: 'people',
    team: ['nomvula.dube', 'giorgos.papadakis', 'siobhan.murphy'],
    phase: 'Work',
    status: 'On track',
    begun: 210,
    due: -200,
    scopes: [['Workshop', 'Twelve places, in the old boat house.']],
    criteria: [
      ['Six contracts', 'Signed before the summer.'],
      ['Trainers', 'One with a certificate in each department.'],
    ],
    reached: 1,
  },
  {
    key: 'paint-hall',
    name: 'New Paint Hall',
    text: 'Large enough for the 120-seat ferry.',
    department: 'outfitting',
    team: ['anneke.vos', 'ivo.markovic'],
    phase: 'Idea',
    status: 'On track',
    begun: 25,
    due: -400,
    scopes: [['Study', 'Place, cost, permit.']],
    criteria: [['Decision by the management', 'With three variants to choose from.']],
    reached: 0,
  },
  {
    key: 'refit',
    name: 'Diesel Refit Catalogue',
    text: 'Old ferries, new filters. Given up when the workshop closed.',
    department: 'sales',
    team: ['karim.benali', 'matteo.gallo'],
    phase: 'Idea',
    status: 'On hold',
    begun: 640,
    due: 420,
    scopes: [['Catalogue', 'Forty pages.']],
    criteria: [['Ten orders', 'Within a year.']],
    reached: 0,
    dropped: 395,
  },
  {
    key: 'refit-prices',
    name: 'Refit Price List',
    text: 'Prices by engine and year.',
    department: 'sales',
    parent: 'refit',
    team: ['matteo.gallo'],
    phase: 'Idea',
    status: 'On hold',
    begun: 600,
    due: 450,
    scopes: [['Two engines', 'The most frequent ones.']],
    criteria: [['Agreed with finance', 'Line by line.']],
    reached: 0,
  },
];
