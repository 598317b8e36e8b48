// The next step after an error, as data: the command line makes a command of it, the endpoint a link.
import type { Action } from './resource.ts';

export interface RecordNamed {
  readonly resource: string;
  readonly id: string;
}

type Step =
  | ({ readonly do: 'undelete' | 'get' | 'get-deleted' } & RecordNamed)
  /** Lists the records of a resource; `within` is their owner, where a list of all does not show them. */
  | { readonly do: 'list'; readonly resource: string; readonly within?: RecordNamed }
  | { readonly do: 'list-users' | 'grant-global' | 'name-administrator' | 'make-primary' | 'log-in' }
  | ({ readonly do: 'move'; readonly below: string } & RecordNamed)
  /** The resources that can own the wanted record; `orID`: its ID says as much. */
  | { readonly do: 'name-owner'; readonly owners: readonly string[]; readonly orID?: true }
  /** `within` is the owner below which a new record was to be made. */
  | {
      readonly do: 'explain-rights';
      readonly who: string;
      readonly action: Action;
      readonly resource: string;
      readonly id?: string;
      readonly within?: RecordNamed;
    }
  | { readonly do: 'act-as'; readonly role: 'user' | 'administrator' | 'global administrator' }
  | { readonly do: 'switch-on'; readonly feature: 'FeatureApi' | 'FeaturePerformance' }
  | { readonly do: 'take-archive' | 'list-jobs' | 'make-plan' }
  /** `job`: it has run, and is not run again by its command. */
  | { readonly do: 'overwrite-drift'; readonly job?: string }
  /** `name` is that of the profile of the service. */
  | {
      readonly do: 'check-address' | 'set-address' | 'allow-http' | 'trust-authority' | 'drop-unknown';
      readonly name?: string;
    }
  /** The name and the contract's value of a route that a profile may replace. */
  | { readonly do: 'set-route'; readonly name: string; readonly route: string; readonly is: string }
  | { readonly do: 'find-trouble' | 'slow-down' | 'request' | 'use-engine' }
  | { readonly do: 'switch-wire'; readonly wire: 'json' | 'xml' }
  | { readonly do: 'use-profile'; readonly name: string }
  | { readonly do: 'use-database'; readonly address: string }
  | {
      readonly do:
        | 'show-job'
        | 'retry-job'
        | 'take-over-job'
        | 'prune-job'
        | 'resume-job'
        | 'undo-job'
        | 'take-back-job';
      readonly job: string;
    }
  /** `id`: the record that the row may have made. */
  | { readonly do: 'settle-row'; readonly job: string; readonly row: number; readonly id?: string | undefined }
  /** To go on with the job does both: it shows the plan, or finds out which rows were done. */
  | { readonly do: 'agree-to-job' | 'settle-job'; readonly job: string }
  /** Copies a whole database, or goes on with that; `anew`: begins again. */
  | {
      readonly do: 'backup' | 'restore';
      readonly from: string | undefined;
      readonly to: string | undefined;
      readonly anew?: true;
    }
  /** The earliest moment that is known, in ISO 8601. */
  | { readonly do: 'look-back'; readonly at: string }
  /** `job` is the undo that is taken back. */
  | { readonly do: 'redo-job'; readonly job: string };

/** Plain data: it is kept in journals. `profile` names the service that it is to be done on, where that is not the chosen one. */
export type Next = Step & { readonly profile?: string };
