// The accountabilities, roles and projects of each trade; both samples draw from them.

/** A name, and a sentence about it. */
export type Pair = readonly [name: string, text: string];

export interface Role {
  readonly name: string;
  readonly text: string;
  readonly indicators: readonly Pair[];
}

/** Something to reach in a quarter, and its five measures. */
export interface Undertaking {
  readonly name: string;
  readonly measures: readonly [string, string, string, string, string];
}

interface Discipline {
  readonly accountabilities: readonly Pair[];
  readonly roles: readonly Role[];
  readonly undertakings: readonly Undertaking[];
}

const role = (name: string, text: string, indicators: readonly Pair[]): Role => ({ name, text, indicators });

const undertaking = (name: string, ...measures: Undertaking['measures']): Undertaking => ({ name, measures });

const lead: Discipline = {
  accountabilities: [
    ['Give direction', 'Everybody in the department can say what matters this quarter, and why.'],
    ['Keep delivery promises', 'What was promised to a customer leaves the yard on the day that was named.'],
    ['Grow the next leaders', 'For every leading role there is somebody who could take it over within a year.'],
    ['Hold to the budget', 'Spending stays within two percent of the plan; surprises are told at once.'],
    ['Decide in time', 'No open question waits for a decision longer than a week.'],
    ['Keep people safe', 'Nobody is hurt, and every near miss is talked about on the same day.'],
  ],
  roles: [
    role('Leader', 'Sets goals with the team and clears what is in its way.', [
      ['Goals are known', 'Asked at random, people name the same three goals.'],
      ['Talks are held', 'Everybody had a development talk within the last twelve months.'],
    ]),
    role('Member of the management', 'Decides with the others what the company does next.', [
      ['Decisions are written down', 'Within a day, with who does what until when.'],
      ['One voice', 'What was decided together is told as decided together.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'One page of goals for every team',
      'Goals drafted with each team',
      'Goals fit those of the company',
      'Numbers agreed with finance',
      'Page hangs at every team board',
      'Halfway review held',
    ),
    undertaking(
      'Shorten the weekly meeting to 30 minutes',
      'Agenda goes out the day before',
      'Reports are read, not read aloud',
      'Decisions are written down at once',
      'Nobody waits for the others',
      'Asked again: everybody prefers it',
    ),
  ],
};

const design: Discipline = {
  accountabilities: [
    ['Drawings that can be built', 'The shop builds from the drawing without asking back.'],
    ['Weight and stability', 'Every change of weight is in the calculation before it is on board.'],
    ['Reuse what works', 'Parts that were proven on one vessel are taken over to the next one.'],
    ['Release on time', 'Drawings are released three weeks before the first cut.'],
    ['Ask the crew', 'People who sail our vessels look at each design before it is frozen.'],
    ['Keep the models in order', 'The newest model is easy to find, and there is only one.'],
  ],
  roles: [
    role('Designer', 'Draws and calculates vessels and their parts.', [
      ['First time right', 'At most two corrections for every hundred drawings.'],
      ['On the agreed day', 'Drawings are released when the plan says so.'],
    ]),
    role('Calculator', 'Shows by numbers that a vessel floats upright, is strong enough and is quiet.', [
      ['Numbers hold', 'Measured values are within three percent of the calculated ones.'],
    ]),
    role('Mentor', 'Helps newcomers into the work.', [
      ['Newcomers stand on their own feet', 'After three months they release drawings themselves.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Release the drawings of the next hull',
      'Lines plan frozen',
      'Weight estimate within 2 %',
      'Structure checked by a second pair of eyes',
      'Comments of the shop worked in',
      'Class approval in hand',
    ),
    undertaking(
      'Cut the noise on the passenger deck',
      'Noise measured on two vessels',
      'Three largest sources named',
      'Counter-measures calculated',
      'Trial pieces fitted',
      'Below 60 dB at cruising speed',
    ),
  ],
};

const electric: Discipline = {
  accountabilities: [
    ['Energy that lasts the day', 'A ferry makes its whole timetable on one night of charging.'],
    ['Safe high voltage', 'No live part can be touched, and everybody who works on them is trained.'],
    ['Software with a way back', 'Each version on board can be taken back within ten minutes.'],
    ['Honest range figures', 'The range we name is reached in winter and against the wind.'],
    ['Readable wiring', 'Whoever opens a cabinet finds it as the plan shows it.'],
    ['Learn from every fault', 'A fault is found, understood, and cannot come back.'],
  ],
  roles: [
    role('Drive engineer', 'Makes motors, converters and batteries work together.', [
      ['Efficiency', 'From shore to propeller at least 88 percent.'],
      ['Quiet starts', 'No fault in the first hundred hours.'],
    ]),
    role('Tester', 'Tries on the bench what must not fail at sea.', [
      ['Found here, not there', 'Nine of ten faults are found before a vessel is in the water.'],
    ]),
    role('Keeper of the safety rules', 'Trains colleagues and checks workplaces.', [
      ['Everybody is trained', 'No certificate is older than a year.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Drive software 4.0 on the bench',
      'List of changes agreed',
      'Old faults tried again',
      'Emergency stop within 0.2 s',
      'Way back tried twice',
      'Handed to the trials crew',
    ),
    undertaking(
      'Ten percent more range from the same battery',
      'Losses measured',
      'Heating control changed',
      'Charging curve changed',
      'Winter day simulated',
      'Proven on the water',
    ),
  ],
};

const build: Discipline = {
  accountabilities: [
    ['Clean seams', 'Welds pass the inspection the first time.'],
    ['A tidy workplace', 'At the end of a shift the next one can begin at once.'],
    ['Right material, right place', 'Nobody waits for plates, pipes or cables.'],
    ['Teach the trade', 'Apprentices do real work, with somebody at their side.'],
    ['Finish what is begun', 'No compartment stays open for want of small things.'],
    ['Care for tools and cranes', 'What is worn is taken out of use, not put back.'],
  ],
  roles: [
    role('Builder', 'Builds hulls and what goes into them.', [
      ['Passed the first time', 'At least 97 percent of seams and fittings.'],
      ['Hours as planned', 'Within five percent of the plan.'],
    ]),
    role('Trainer of apprentices', 'Shows young people how it is done.', [['Examinations', 'All apprentices pass.']]),
    role('First aider', 'Helps when somebody is hurt, and keeps the boxes full.', [
      ['Ready', 'On every shift there is one of us.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Hull in the water by the end of the quarter',
      'All plates cut',
      'Sections joined',
      'Tanks tested',
      'Seams inspected',
      'Float-out without rework',
    ),
    undertaking(
      'Halve the time spent looking for tools',
      'A place for each tool',
      'Marked with the colour of the team',
      'Checked at the end of each shift',
      'Missing ones replaced within a day',
      'Measured again',
    ),
  ],
};

const quality: Discipline = {
  accountabilities: [
    ['Say no in time', 'What does not hold is stopped before more work goes into it.'],
    ['Measure what matters', 'Every number that is collected is used by somebody.'],
    ['Papers complete at handover', 'The owner gets all certificates together with the keys.'],
    ['Trials without surprises', 'The trial programme is known to all, and followed.'],
    ['Close findings', 'No finding of an audit is older than six weeks.'],
  ],
  roles: [
    role('Inspector', 'Looks at work with the eyes of the owner.', [
      ['Seen by us first', 'Owners find at most three points at handover.'],
      ['Reports within a day', 'While everybody still remembers.'],
    ]),
    role('Trials engineer', 'Plans, makes and explains sea trials.', [
      ['One trip is enough', 'Four of five vessels pass on their first day at sea.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Audit passed without a major finding',
      'Own audit held beforehand',
      'Findings of last year closed',
      'Instruments calibrated',
      'Records complete',
      'No major finding',
    ),
    undertaking(
      'Trial programme on two pages',
      'Owners asked what they read',
      'Old programme cut',
      'Tried with one vessel',
      'Class society agrees',
      'Used for all vessels',
    ),
  ],
};

const sell: Discipline = {
  accountabilities: [
    ['Know the operators', 'We know of a new ferry before the tender is out.'],
    ['Offers that can be kept', 'Engineering and production have signed what we promise.'],
    ['Answer within a day', 'Every question gets an answer, even if it is "we are looking into it".'],
    ['A full order book', 'Eighteen months of work are signed.'],
    ['Tell what we build', 'People around the harbour know what is in the hall, and are proud of it.'],
  ],
  roles: [
    role('Key account', 'Is the face of the yard for two or three operators.', [
      ['They come back', 'Every second vessel goes to an owner who has one already.'],
      ['Visits', 'Each operator is seen four times a year.'],
    ]),
    role('Writer of offers', 'Brings technique, price and date onto few good pages.', [
      ['Hit rate', 'One in three offers becomes an order.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Two letters of intent for the 80-seat ferry',
      'Ten operators visited',
      'Five offers written',
      'Price agreed with production',
      'Route studies made',
      'Two letters signed',
    ),
    undertaking(
      'Open day at the yard',
      'Day agreed with the city',
      'Programme printed',
      'Neighbours invited',
      'Rides on the water',
      'Nobody hurt',
    ),
  ],
};

const serve: Discipline = {
  accountabilities: [
    ['Ferries that sail', 'No vessel of ours misses more than one day in a year.'],
    ['Spare parts on the shelf', 'What wears is here before it is asked for.'],
    ['Honest first answer', 'The first call ends with what will happen and when.'],
    ['Bring knowledge home', 'Engineering hears what breaks, with a picture and the hours.'],
    ['Fair invoices', 'The customer can follow each line.'],
  ],
  roles: [
    role('Service engineer', 'Keeps vessels running, by telephone or on board.', [
      ['Back in service', 'Within two days in nine of ten cases.'],
      ['Mended for good', 'The same fault does not come back within a year.'],
    ]),
    role('Keeper of spare parts', 'Has the right part, knows where it is and sends it.', [
      ['Sent today', 'Orders before noon leave the same day.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Spare parts within 48 hours',
      'Fifty fastest parts known',
      'Stock agreed with finance',
      'Shelf and list agree',
      'Second carrier under contract',
      'Nine of ten orders in time',
    ),
    undertaking(
      'Winter check on every vessel',
      'Owners told',
      'Dates agreed',
      'Check list renewed',
      'All vessels seen',
      'Findings sent to engineering',
    ),
  ],
};

const office: Discipline = {
  accountabilities: [
    ['Pay on the right day', 'Wages and invoices are paid when they are due.'],
    ['Books that close', 'The month is closed by the fifth working day.'],
    ['Find the right people', 'An open place is filled within ten weeks.'],
    ['Buy well', 'For every large order there are three offers and one clear reason.'],
    ['Systems that run', 'Nobody waits for a computer, and nothing is lost.'],
    ['Keep confidence', 'What people tell us stays with us.'],
  ],
  roles: [
    role('Administrator', 'Keeps records complete and right.', [
      ['No corrections', 'Fewer than five in a quarter.'],
      ['Findable', 'Each record is found within a minute.'],
    ]),
    role('Adviser', 'Helps leaders with people, money and contracts.', [
      ['Asked beforehand', 'Leaders come before they decide, not after.'],
    ]),
  ],
  undertakings: [
    undertaking(
      'Close the month in five days',
      'Cut-off dates agreed',
      'Orders booked when placed',
      'Hours approved weekly',
      'Two months closed in six days',
      'Closed in five',
    ),
    undertaking(
      'Welcome plan for newcomers',
      'First week planned',
      'A colleague to ask',
      'Tools and accounts ready on day one',
      'Talk after thirty days',
      'Newcomers asked how it was',
    ),
  ],
};

export const DISCIPLINES = { lead, design, electric, build, quality, sell, serve, office } as const;
export type Trade = keyof typeof DISCIPLINES;

/** The supervisory scopes of leaders. */
export const SCOPES: readonly Pair[] = [
  ['Plan of the week', 'Decides who works on what, together with the team.'],
  ['Holidays and hours', 'Approves them within two days.'],
  ['Purchases up to 5 000', 'Orders tools and material without asking first.'],
  ['Development of the team', 'Holds the talks and agrees on training.'],
  ['Safety at the workplace', 'May stop any work at any time.'],
  ['Hiring', 'Chooses new colleagues together with people and finance.'],
];
