// What the first process of pm serve and its workers tell each other.
import type { ErrorCode } from '../../contract/errors.ts';
import type { Place } from '../backend.ts';

/** What every worker is started with; the first process has read the files and checked the flags. */
export interface WorkerStart {
  readonly place: Omit<Place, 'clock' | 'database'>;
  readonly file: string;
  /** Is the database on a server? Each worker logs in there itself. */
  readonly onServer: boolean;
  readonly quiet: boolean;
  readonly host: string;
  readonly port: number;
  readonly allowHttp: boolean;
  readonly allowHosts: readonly string[];
  readonly trustProxy: readonly string[];
  readonly namespace?: string;
  readonly drainMs: number;
  /** As PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** What a worker asks leave for: to write to the file, or to check the password of a login from an address. */
export type Wish =
  | { readonly kind: 'write' }
  | { readonly kind: 'login'; readonly login: string; readonly address: string };

/** To a worker. `id` is that of its wish; `retryAfter` are seconds. */
export type ToWorker =
  | { readonly say: 'start'; readonly start: WorkerStart }
  | { readonly say: 'stop' }
  | { readonly say: 'granted'; readonly id: number }
  | { readonly say: 'refused'; readonly id: number; readonly retryAfter: number };

/** From a worker. A wish that was granted ends; `failed`: the password was wrong. */
export type FromWorker =
  | { readonly say: 'wishes'; readonly id: number; readonly wish: Wish }
  | { readonly say: 'ends'; readonly id: number; readonly failed: boolean }
  | { readonly say: 'serves'; readonly url: string }
  | { readonly say: 'fails'; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };
