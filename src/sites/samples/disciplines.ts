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
    {
      name: 'Leader',
      text: 'Sets goals with the team and clears what is in its way.',
      indicators: [
        ['Goals are known', 'Asked at random, people name the same three goals.'],
        ['Talks are held', 'Everybody had a development talk within the last twelve months.'],
      ],
    },
    {
      name: 'Member of the management',
      text: 'Decides with the others what the company does next.',
      indicators: [
        ['Decisions are written down', 'Within a day, with who does what until when.'],
        ['One voice', 'What was decided together is told as decided together.'],
      ],
    },
  ],
  undertakings: [
    {
      name: 'One page of goals for every team',
      measures: [
        'Goals drafted with each team',
        'Goals fit those of the company',
        'Numbers agreed with finance',
        'Page hangs at every team board',
        'Halfway review held',
      ],
    },
    {
      name: 'Shorten the weekly meeting to 30 minutes',
      measures: [
        'Agenda goes out the day before',
        'Reports are read, not read aloud',
        'Decisions are written down at once',
        'Nobody waits for the others',
        'Asked again: everybody prefers it',
      ],
    },
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
    {
      name: 'Designer',
      text: 'Draws and calculates vessels and their parts.',
      indicators: [
        ['First time right', 'At most two corrections for every hundred drawings.'],
        ['On the agreed day', 'Drawings are released when the plan says so.'],
      ],
    },
    {
      name: 'Calculator',
      text: 'Shows by numbers that a vessel floats upright, is strong enough and is quiet.',
      indicators: [['Numbers hold', 'Measured values are within three percent of the calculated ones.']],
    },
    {
      name: 'Mentor',
      text: 'Helps newcomers into the work.',
      indicators: [['Newcomers stand on their own feet', 'After three months they release drawings themselves.']],
    },
  ],
  undertakings: [
    {
      name: 'Release the drawings of the next hull',
      measures: [
        'Lines plan frozen',
        'Weight estimate within 2 %',
        'Structure checked by a second pair of eyes',
        'Comments of the shop worked in',
        'Class approval in hand',
      ],
    },
    {
      name: 'Cut the noise on the passenger deck',
      measures: [
        'Noise measured on two vessels',
        'Three largest sources named',
        'Counter-measures calculated',
        'Trial pieces fitted',
        'Below 60 dB at cruising speed',
      ],
    },
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
    {
      name: 'Drive engineer',
      text: 'Makes motors, converters and batteries work together.',
      indicators: [
        ['Efficiency', 'From shore to propeller at least 88 percent.'],
        ['Quiet starts', 'No fault in the first hundred hours.'],
      ],
    },
    {
      name: 'Tester',
      text: 'Tries on the bench what must not fail at sea.',
      indicators: [['Found here, not there', 'Nine of ten faults are found before a vessel is in the water.']],
    },
    {
      name: 'Keeper of the safety rules',
      text: 'Trains colleagues and checks workplaces.',
      indicators: [['Everybody is trained', 'No certificate is older than a year.']],
    },
  ],
  undertakings: [
    {
      name: 'Drive software 4.0 on the bench',
      measures: [
        'List of changes agreed',
        'Old faults tried again',
        'Emergency stop within 0.2 s',
        'Way back tried twice',
        'Handed to the trials crew',
      ],
    },
    {
      name: 'Ten percent more range from the same battery',
      measures: [
        'Losses measured',
        'Heating control changed',
        'Charging curve changed',
        'Winter day simulated',
        'Proven on the water',
      ],
    },
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
    {
      name: 'Builder',
      text: 'Builds hulls and what goes into them.',
      indicators: [
        ['Passed the first time', 'At least 97 percent of seams and fittings.'],
        ['Hours as planned', 'Within five percent of the plan.'],
      ],
    },
    {
      name: 'Trainer of apprentices',
      text: 'Shows young people how it is done.',
      indicators: [['Examinations', 'All apprentices pass.']],
    },
    {
      name: 'First aider',
      text: 'Helps when somebody is hurt, and keeps the boxes full.',
      indicators: [['Ready', 'On every shift there is one of us.']],
    },
  ],
  undertakings: [
    {
      name: 'Hull in the water by the end of the quarter',
      measures: ['All plates cut', 'Sections joined', 'Tanks tested', 'Seams inspected', 'Float-out without rework'],
    },
    {
      name: 'Halve the time spent looking for tools',
      measures: [
        'A place for each tool',
        'Marked with the colour of the team',
        'Checked at the end of each shift',
        'Missing ones replaced within a day',
        'Measured again',
      ],
    },
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
    {
      name: 'Inspector',
      text: 'Looks at work with the eyes of the owner.',
      indicators: [
        ['Seen by us first', 'Owners find at most three points at handover.'],
        ['Reports within a day', 'While everybody still remembers.'],
      ],
    },
    {
      name: 'Trials engineer',
      text: 'Plans, makes and explains sea trials.',
      indicators: [['One trip is enough', 'Four of five vessels pass on their first day at sea.']],
    },
  ],
  undertakings: [
    {
      name: 'Audit passed without a major finding',
      measures: [
        'Own audit held beforehand',
        'Findings of last year closed',
        'Instruments calibrated',
        'Records complete',
        'No major finding',
      ],
    },
    {
      name: 'Trial programme on two pages',
      measures: [
        'Owners asked what they read',
        'Old programme cut',
        'Tried with one vessel',
        'Class society agrees',
        'Used for all vessels',
      ],
    },
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
    {
      name: 'Key account',
      text: 'Is the face of the yard for two or three operators.',
      indicators: [
        ['They come back', 'Every second vessel goes to an owner who has one already.'],
        ['Visits', 'Each operator is seen four times a year.'],
      ],
    },
    {
      name: 'Writer of offers',
      text: 'Brings technique, price and date onto few good pages.',
      indicators: [['Hit rate', 'One in three offers becomes an order.']],
    },
  ],
  undertakings: [
    {
      name: 'Two letters of intent for the 80-seat ferry',
      measures: [
        'Ten operators visited',
        'Five offers written',
        'Price agreed with production',
        'Route studies made',
        'Two letters signed',
      ],
    },
    {
      name: 'Open day at the yard',
      measures: [
        'Day agreed with the city',
        'Programme printed',
        'Neighbours invited',
        'Rides on the water',
        'Nobody hurt',
      ],
    },
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
    {
      name: 'Service engineer',
      text: 'Keeps vessels running, by telephone or on board.',
      indicators: [
        ['Back in service', 'Within two days in nine of ten cases.'],
        ['Mended for good', 'The same fault does not come back within a year.'],
      ],
    },
    {
      name: 'Keeper of spare parts',
      text: 'Has the right part, knows where it is and sends it.',
      indicators: [['Sent today', 'Orders before noon leave the same day.']],
    },
  ],
  undertakings: [
    {
      name: 'Spare parts within 48 hours',
      measures: [
        'Fifty fastest parts known',
        'Stock agreed with finance',
        'Shelf and list agree',
        'Second carrier under contract',
        'Nine of ten orders in time',
      ],
    },
    {
      name: 'Winter check on every vessel',
      measures: [
        'Owners told',
        'Dates agreed',
        'Check list renewed',
        'All vessels seen',
        'Findings sent to engineering',
      ],
    },
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
    {
      name: 'Administrator',
      text: 'Keeps records complete and right.',
      indicators: [
        ['No corrections', 'Fewer than five in a quarter.'],
        ['Findable', 'Each record is found within a minute.'],
      ],
    },
    {
      name: 'Adviser',
      text: 'Helps leaders with people, money and contracts.',
      indicators: [['Asked beforehand', 'Leaders come before they decide, not after.']],
    },
  ],
  undertakings: [
    {
      name: 'Close the month in five days',
      measures: [
        'Cut-off dates agreed',
        'Orders booked when placed',
        'Hours approved weekly',
        'Two months closed in six days',
        'Closed in five',
      ],
    },
    {
      name: 'Welcome plan for newcomers',
      measures: [
        'First week planned',
        'A colleague to ask',
        'Tools and accounts ready on day one',
        'Talk after thirty days',
        'Newcomers asked how it was',
      ],
    },
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
