// The few colours that output uses.

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
}

const within =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text;

/** Paints text for a terminal; without colour it stays as it is. */
export const paint = (on: boolean): Paint => ({
  bold: within(on, 1, 22),
  dim: within(on, 2, 22),
  red: within(on, 31, 39),
});
