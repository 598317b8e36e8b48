// Read connections: opened when all others are lent out, and a few of them kept.
import type { Connection } from './connection.ts';

export interface Pool {
  borrow(): Connection;
  giveBack(connection: Connection): void;
  /** Closes what is not lent out now, and the rest as it is given back. */
  close(): void;
}

const KEPT = 4;

export function poolOf(open: () => Connection): Pool {
  const idle: Connection[] = [];
  let isClosed = false;
  return {
    borrow: () => idle.pop() ?? open(),
    giveBack(connection) {
      if (isClosed || idle.length >= KEPT) connection.close();
      else idle.push(connection);
    },
    close() {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.close();
    },
  };
}
