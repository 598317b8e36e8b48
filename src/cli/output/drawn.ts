// The signs that pm draws, such as frames, bars and arrows: in ASCII where the charset of the locale is another than UTF-8.

type Env = Readonly<Record<string, string | undefined>>;

/** By LC_ALL, else LC_CTYPE, else LANG, as POSIX looks at them. Windows has none of them; where none is set, signs are as ever. */
export function isAscii(env: Env): boolean {
  if (process.platform === 'win32') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}

/** A piece of a drawing, in which stands no value, by the locale of who looks at it. */
export const drawn = (env: Env, text: string): string => (isAscii(env) ? inAscii(text) : text);

/** A piece of a drawing in ASCII. Only signs that stand in words have another width. */
export const inAscii = (text: string): string => text.replace(SIGNS, (sign) => ASCII[sign] ?? sign);

const ASCII: Readonly<Record<string, string>> = {
  '─': '-',
  '│': '|',
  '├': '|',
  '└': '`',
  '┃': '!',
  ...Object.fromEntries([...'█▉▊▋▌▍▎▏'].map((bar) => [bar, '#'])),
  '▓': '=',
  '▒': '-',
  '░': '.',
  '·': ':',
  '–': '-',
  '▲': '^',
  '▼': 'v',
  '→': '->',
  '…': '...',
  '↑↓': 'up, down:',
  '⏎': 'Enter:',
};
const SIGNS = new RegExp(Object.keys(ASCII).join('|'), 'g');
