// A file as the source of a clone, and as its target.
import { existsSync, rmSync } from 'node:fs';
import { ServiceError } from '../../../contract/errors.ts';
import type { Described } from '../schema/tables.ts';
import { CLONE, DATABASE } from '../schema/versions.ts';
import { one, run, type Steps } from '../sql/steps.ts';
import { answered } from '../sqlite/answered.ts';
import { writeCommitMarker } from '../sqlite/commit-marker.ts';
import { type Connection, connect, connectNew } from '../sqlite/connection.ts';
import { isIndex, SQLITE, sqliteLayout, sqliteSchema } from '../sqlite/dialect.ts';
import { closedAfter } from '../sqlite/driver.ts';
import { BEFORE_BACKUP } from '../sqlite/failure.ts';
import { createFile } from '../sqlite/file/create.ts';
import { watchFile } from '../sqlite/file/watch.ts';
import { openSqlite } from '../sqlite/store.ts';
import { CLONE_TABLES, dropMark, findClone } from './mark.ts';
import type { Destination, Source, Target } from './sides.ts';

const STATE = 'SELECT Number, Token FROM commit_witness WHERE ID = 1';

/** Opens a file to be cloned; migrates an older one. Throws `storage` where it is missing or none of ours. */
export async function openFileSource(file: string, tables: Described): Promise<Source> {
  const store = await openSqlite({ file, ...tables });
  await store.close();
  const connection = connect(file, 'read');
  // The first statement that reads decides which state it is.
  connection.exec('BEGIN');
  const state = stateIn(connection);
  return {
    place: file,
    dialect: SQLITE,
    state,
    read: async (steps) => answered(connection, steps()),
    isChanged: async () => closedAfter(connect(file, 'read'), stateIn) !== state,
    async close() {
      connection.close();
    },
  };
}

/** Every commit writes another token. */
const stateIn = (connection: Connection): string => (connection.one(STATE) ?? []).join(' ');

/** A file to clone to. */
export function fileDestination(file: string, tables: Described): Destination {
  return {
    place: file,
    async find() {
      if (!existsSync(file)) return undefined;
      return closedAfter(connectClone(file, 'read'), (connection) => answered(connection, findClone()));
    },
    async clear() {
      if (!existsSync(file)) return;
      connectClone(file, 'read').close();
      for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
    },
    async open(begin) {
      const { made, added } = statementsIn(tables);
      await createFile(file, CLONE, async (draft) =>
        closedAfter(connectNew(draft, made.join(';\n'), CLONE), (connection) => answered(connection, begin())),
      );
      return targetOn(file, added);
    },
  };
}

/** Indexes are made when the tables are full: that is faster, and their pages are in order. */
function statementsIn({ resources, computed }: Described): { made: readonly string[]; added: readonly string[] } {
  const { statements } = sqliteLayout(sqliteSchema(resources, computed));
  return {
    made: [...statements.filter((one) => !isIndex(one)), ...CLONE_TABLES],
    added: statements.filter(isIndex),
  };
}

/** Throws `storage` for a file that is no unfinished clone, and for one of another pm. */
const connectClone = (file: string, role: 'read' | 'write'): Connection => connect(file, role, undefined, CLONE);

function targetOn(file: string, indexes: readonly string[]): Target {
  const watch = watchFile(file);
  const connection = watch.open(() => connectClone(file, 'write'));
  // Records may come before those that they name; they are checked at the end.
  connection.exec('PRAGMA foreign_keys = OFF');
  const inTransaction = <T>(work: () => T): T => {
    watch.check(connection);
    connection.exec('BEGIN IMMEDIATE');
    try {
      const answer = work();
      connection.exec('COMMIT');
      watch.check(connection);
      return answer;
    } catch (error) {
      if (connection.isInTransaction()) connection.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    place: file,
    dialect: SQLITE,
    read: async (steps) => answered(connection, steps()),
    write: async (steps) => inTransaction(() => answered(connection, steps())),
    added: [...indexes.map((sql) => () => run(sql)), checkReferences],
    async unmark() {
      inTransaction(() => {
        answered(connection, dropMark());
        connection.exec(`PRAGMA application_id = ${DATABASE.applicationID}`);
        writeCommitMarker(connection);
      });
      connection.one('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    async close() {
      connection.close();
    },
  };
}

function* checkReferences(): Steps<void> {
  const broken = yield* one('PRAGMA foreign_key_check');
  if (broken) throw brokenReference(String(broken[0]), String(broken[2]));
}

const brokenReference = (table: string, other: string): ServiceError =>
  new ServiceError('storage', `a record of ${table} names a record of ${other} that is not there`, {
    hint: `The source is damaged. Copy it, then put a backup in its place. ${BEFORE_BACKUP}`,
  });
