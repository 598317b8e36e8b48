// A disk that fails at COMMIT does not say whether it has written: the database is opened anew and looked at.
import { expect, it } from 'vitest';
import { type Connection, connect } from '../../src/engine/store/sqlite/connection.ts';
import { driver, openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { explained } from '../../src/engine/store/sqlite/failure.ts';
import { watchFile } from '../../src/engine/store/sqlite/file/watch.ts';
import { type WriteConnection, writeConnection } from '../../src/engine/store/sqlite/writer.ts';
import { refuses } from '../support/refuses.ts';
import { newFile } from './store-fixture.ts';

type Fault = (connection: Connection) => void;
const KEEP = "INSERT INTO counter (SiteID, Resource, Last) VALUES ('s', ?, 1)";

const failure = (file: string, code: string) => explained(file, new (driver().SqliteError)('disk I/O error', code));

/** A lane whose first COMMIT fails after `fault` has done to the transaction what it does; the later ones go well. */
function failing(file: string, fault: Fault, code = 'SQLITE_IOERR_FSYNC'): WriteConnection {
  let isFirst = true;
  return writeConnection(watchFile(file), () => {
    const connection = connect(file, 'write', 100);
    return {
      ...connection,
      run(sql, params) {
        if (sql !== 'COMMIT' || !isFirst) return connection.run(sql, params);
        isFirst = false;
        fault(connection);
        throw failure(file, code);
      },
    };
  });
}

const write = (lane: WriteConnection, name: string) =>
  lane.add(async (connection) => {
    connection.run(KEEP, [name]);
    return name;
  });

const kept = (file: string): readonly unknown[] => {
  const database = openDatabase(file);
  const names = database.prepare('SELECT Resource FROM counter ORDER BY Resource').pluck().all();
  database.close();
  return names;
};

const written: Fault = (connection) => void connection.run('COMMIT');
const lost: Fault = (connection) => void connection.run('ROLLBACK');

/** Another program's transactions, which leave their own marks. */
async function another(file: string, times: number): Promise<void> {
  const lane = writeConnection(watchFile(file), () => connect(file, 'write'));
  for (let i = 0; i < times; i++) await write(lane, `another ${i}`);
  lane.close();
}
const commitsOfAnother = (file: string, times: number): Fault => {
  const database = openDatabase(file);
  return () => {
    for (let i = 0; i < times; i++) database.exec("UPDATE commit_witness SET Number = Number + 1, Token = 'x'");
    database.close();
  };
};

it('answers as done what is there', async () => {
  const file = await newFile();
  const lane = failing(file, written);
  expect(await Promise.all([write(lane, 'a'), write(lane, 'b')])).toEqual(['a', 'b']);
  expect(await write(lane, 'c')).toBe('c');
  expect(kept(file)).toEqual(['a', 'b', 'c']);
  lane.close();
});

it('fails what is not there as the disk failed, and goes on', async () => {
  const file = await newFile();
  await another(file, 1);
  const lane = failing(file, lost);
  const answers = await Promise.allSettled([write(lane, 'a'), write(lane, 'b')]);
  expect(answers).toMatchObject([{ reason: { code: 'storage' } }, { reason: { code: 'storage' } }]);
  expect(await write(lane, 'c')).toBe('c');
  expect(kept(file)).toEqual(['another 0', 'c']);
  lane.close();
});

it('fails what is not there also where another program has written in its place', async () => {
  const file = await newFile();
  await another(file, 1);
  const theirs = commitsOfAnother(file, 1);
  const lane = failing(file, (connection) => {
    lost(connection);
    theirs(connection);
  });
  await refuses(write(lane, 'a')).with('storage');
  lane.close();
});

it('says that it does not know where other programs have written since', async () => {
  const file = await newFile();
  await another(file, 1);
  const theirs = commitsOfAnother(file, 2);
  const lane = failing(file, (connection) => {
    written(connection);
    theirs(connection);
  });
  const error = await refuses(write(lane, 'a')).with('unknown_outcome', 'read the records');
  expect(error.exit).toBe(9);
  lane.close();
});

it('says that it does not know where the database cannot be opened any more', async () => {
  const file = await newFile();
  const blocker = openDatabase(file);
  const lane = failing(file, (connection) => {
    written(connection);
    blocker.exec('BEGIN IMMEDIATE');
  });
  await refuses(write(lane, 'a')).with('unknown_outcome');
  blocker.close();
  lane.close();
});

it('asks nothing where the failure is certain', async () => {
  const file = await newFile();
  const lane = failing(file, lost, 'SQLITE_FULL');
  await refuses(write(lane, 'a')).with('disk_full');
  expect(kept(file)).toEqual([]);
  lane.close();
});

it('leaves no mark where nothing was written', async () => {
  const file = await newFile();
  await another(file, 1);
  const marks = () => {
    const database = openDatabase(file);
    const number = database.prepare('SELECT Number FROM commit_witness').pluck().get();
    database.close();
    return Number(number);
  };
  const before = marks();
  const lane = writeConnection(watchFile(file), () => connect(file, 'write'));
  await lane.add(async () => undefined);
  expect(marks()).toBe(before);
  await write(lane, 'a');
  expect(marks()).toBe(before + 1);
  lane.close();
});
