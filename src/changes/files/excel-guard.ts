// Keeps texts from being run as formulas by a spreadsheet, so that they can be had back.

const RUNS = /^[=+\-@\t\r']/;
const GUARDED = /^'[=+\-@\t\r']/;

/** A leading apostrophe for a text that a spreadsheet would take for a formula, and for one that begins with an apostrophe. */
export const guard = (text: string): string => (RUNS.test(text) ? `'${text}` : text);

/** The text as it was before `guard`. */
export const unguard = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);
