// The two places of pm backup and pm restore: a file, the address of a database, or a profile of either.
import { resolve } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { storedResources } from '../../contract/index.ts';
import { computedFields } from '../../engine/index.ts';
import { fileDestination, openFileSource } from '../../engine/store/clone/on-file.ts';
import { openServerSource, type Server, serverDestination } from '../../engine/store/clone/on-server.ts';
import type { Destination, Source } from '../../engine/store/clone/sides.ts';
import { type Address, addressOf, isAddress } from '../../engine/store/postgres/address.ts';
import { passwordFor } from '../../engine/store/postgres/passwords.ts';
import { upgraded } from '../backend.ts';
import { say } from '../output/printing.ts';
import { databaseIn, homeOf, makeHome, systemUser } from '../profiles/home.ts';
import { databaseNamed, LOCAL, remoteNamed } from '../profiles/profiles.ts';
import { isFile } from '../states/open.ts';
import type { Streams } from '../streams.ts';

/** A file, or a database on a server; `command` names it in commands, wherever they are given. */
export interface NamedSide {
  readonly command: string;
  /** The flags by which other commands use it; undefined for a file that none does. */
  readonly flags: string | undefined;
  readonly address: Address | undefined;
}

export const TABLES = { resources: storedResources, computed: computedFields };

/** Throws `usage` for a service, for a name that is none of a profile, and for an address with a password. */
export function sideNamed(text: string, of: 'source' | 'target', io: Streams): NamedSide {
  if (isAddress(text)) return serverAt(text, `the ${of}`, io);
  if (isFile(text)) return fileAt(resolve(io.cwd, text), io);
  if (text === LOCAL) return fileAt(databaseIn(homeOf(io)), io);
  const database = databaseNamed(text, io);
  if (database) return serverAt(database.address, database.from, io);
  const service = remoteNamed(text, io);
  throw new ServiceError(
    'usage',
    `${service?.name ?? text} is a service: pm backup and pm restore copy files and databases`,
    {
      hint: 'What you may read of a service is copied by pm export, and brought elsewhere by pm import.',
    },
  );
}

const fileAt = (file: string, io: Streams): NamedSide => ({
  command: file,
  flags: file === databaseIn(homeOf(io)) ? `-p ${LOCAL}` : undefined,
  address: undefined,
});

const serverAt = (text: string, from: string, io: Streams): NamedSide => ({
  command: text,
  flags: `--database ${text}`,
  address: addressOf(text, systemUser(io), from),
});

export function openSource(place: NamedSide, io: Streams): Promise<Source> {
  const server = serverOf(place, io);
  return server ? openServerSource(server, TABLES) : openFileSource(place.command, TABLES);
}

/** Makes the folder of pm's own file. */
export function destinationAt(place: NamedSide, io: Streams): Destination {
  const server = serverOf(place, io);
  if (server) return serverDestination(server, TABLES);
  const file = fileDestination(place.command, TABLES);
  if (place.command !== databaseIn(homeOf(io))) return file;
  return {
    ...file,
    open(begin) {
      makeHome(homeOf(io));
      return file.open(begin);
    },
  };
}

const serverOf = ({ command, address }: NamedSide, io: Streams): Server | undefined =>
  address && {
    address,
    password: () => passwordFor(address, io.env),
    place: command,
    onUpgraded: (from, to) => say(io, upgraded(address.shown, from, to)),
  };
