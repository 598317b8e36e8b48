// What the client is told of one service.
import type { Syntax } from '../wire/media.ts';
import type { Exchange } from './exchange.ts';
import type { Proxies } from './transport.ts';

export interface ClientOptions {
  /** The base URL; `/v4` at its end may be left out. */
  readonly url: string;
  /** What people call it, for the commands that hints name. */
  readonly profile: string;
  /** The syntax in which it is asked; answers are read in the one they are in. */
  readonly wire: Syntax;
  readonly allowHttp?: boolean | undefined;
  /** PEM texts of the authorities that are trusted instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly proxies?: Proxies | undefined;
  /** The namespace of its XML; without it the one of its answers. */
  readonly namespace?: string | undefined;
  /** Whole routes instead of the contract's, by `resource.operation.route`: `individual.list.plain`. */
  readonly routes?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds of a try; of a list, milliseconds of silence. */
  readonly timeout: number;
  readonly retries: number;
  readonly concurrency: number;
  /** Requests a second, at most; without it as many as there are. */
  readonly rate?: number | undefined;
  readonly newID: () => string;
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** Takes a sentence for people about something that is no error. */
  readonly note?: ((text: string) => void) | undefined;
  /** Sees every try; nothing in it is secret. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}
