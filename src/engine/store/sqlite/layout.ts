// The tables of a SQLite database: those of the contract, and those by which a file tells its version and its last commit.
import type { Resource } from '../../../contract/resource.ts';
import { type Layout, layoutOf, statementsOf } from '../schema/ddl.ts';
import { type Computed, type Schema, schemaOf } from '../schema/tables.ts';
import { COMMIT_MARKER_TABLE } from './commit-marker.ts';
import { SQLITE } from './dialect.ts';
import { VERSION_TABLE } from './file-version.ts';

const OWN = [...COMMIT_MARKER_TABLE, ...VERSION_TABLE];

export const sqliteSchema = (resources: readonly Resource[], computed: Computed): Schema =>
  schemaOf(resources, computed, SQLITE);

export const sqliteLayout = (schema: Schema): Layout => layoutOf(schema, OWN);

/** Every table and index, as one readable text. */
export const ddlOf = (schema: Schema): string => `${statementsOf(schema, OWN).join(';\n\n')};\n`;
