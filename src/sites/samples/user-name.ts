// User names made of names: Søren Kjeldsen is soren.kjeldsen.

/** Letters that do not come apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i', ð: 'd', þ: 'th', æ: 'ae', đ: 'd' };

export const userNameOf = (first: string, last: string): string => `${plain(first)}.${plain(last)}`;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\x00-\x7f]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^a-z-]/g, '');
