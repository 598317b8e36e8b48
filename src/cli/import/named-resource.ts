// Which records a file or a sheet holds, by its name: people.csv holds individuals.
import type { Resource } from '../../contract/resource.ts';
import { findResource } from '../names.ts';
import { OTHER_NAMES } from '../usage/foreign-words.ts';

/** The resource whose records a file or sheet of this name holds; undefined if the name says none. */
export function resourceOfName(name: string): Resource | undefined {
  const word = plain(name);
  const called = (one: string): Resource | undefined => findResource((known) => plain(known) === plain(one));
  const [command = ''] = Object.entries(OTHER_NAMES).find(([, words]) => words.split(' ').includes(word)) ?? [];
  return called(word) ?? called(command);
}

/** In lower case, without signs, and without the number in front that orders the files: `01 Departments`. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^\d+/, '');
