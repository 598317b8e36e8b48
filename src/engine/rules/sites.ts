// The record of a site is its administrators' alone, whatever rights are given (D19).
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import type { Rules } from './rule.ts';

export const siteRules: Rules = {
  prepare({ change, before }) {
    if (before && !isAdministrator(change)) throw adminOnly('sites update');
  },
};
