// What can be said of a file of ours without changing it.
import { connect } from './connection.ts';
import { type FileKind, newestOf, Outdated } from './file-version.ts';
import { leftDrafts } from './files.ts';
import { copiesOf } from './put-aside.ts';

export interface FileState {
  /** Of its tables. */
  readonly version: number;
  /** The version that this pm makes. */
  readonly newest: number;
  /** The files beside it that were put aside before a migration. */
  readonly copies: readonly string[];
  /** The files beside it that nobody finishes any more. */
  readonly drafts: readonly string[];
}

/** Throws `storage` where it cannot be read, or is of a version that this pm does not know. */
export function stateOf(file: string, kind: FileKind): FileState {
  const newest = newestOf(kind).number;
  return { version: versionOf(file, kind) ?? newest, newest, copies: copiesOf(file), drafts: leftDrafts(file) };
}

/** The version of an older file. */
function versionOf(file: string, kind: FileKind): number | undefined {
  try {
    connect(file, 'read', undefined, kind).close();
    return undefined;
  } catch (error) {
    if (error instanceof Outdated) return error.version;
    throw error;
  }
}
