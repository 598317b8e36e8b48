// Which SQLite this is.
import Database from 'better-sqlite3';

export function sqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}
