// The suite has to be quick, so what it repeats it repeats seldom; `npm run test:long` repeats it as often as is worth it.

/** Long runs are asked for; the floor is what every run of the suite does. */
export const isLong = process.env.PM_TEST_LONG !== undefined;

/** What the suite does, and what the long run does instead. */
export const inLong = <T>(few: T, many: T): T => (isLong ? many : few);
