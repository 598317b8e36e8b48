// Lines for people that are no wider than their terminal. In a pipe they are whole.
import { wrapTo } from '../../text/columns.ts';
import type { Streams } from '../streams.ts';
import { drawn } from './drawn.ts';
import { print } from './printing.ts';

/** Fewer cells hold no name, however deep it stands in a tree. */
const LEAST = 12;

export const roomIn = ({ stdoutIsTerminal, columns }: Pick<Streams, 'stdoutIsTerminal' | 'columns'>): number =>
  stdoutIsTerminal ? columns : Number.POSITIVE_INFINITY;

/** A line that is too long goes on below its beginning, beside the branches of a tree. */
export function printWrapped(io: Streams, lines: readonly string[]): void {
  const wrapped = lines.flatMap((line) => {
    const [begin = ''] = /^[ │├└─]*/.exec(line) ?? [];
    const below = begin.replace('├── ', '│   ').replace('└── ', '    ');
    const parts = wrapTo(line.slice(begin.length), Math.max(LEAST, roomIn(io) - begin.length));
    return parts.map((part, at) => drawn(io.env, at === 0 ? begin : below) + part);
  });
  print(io, wrapped);
}
