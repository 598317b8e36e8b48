// A basic role made without its individual is the caller's.
import type { Rules } from './rule.ts';

export const basicRoleRules: Rules = {
  fill({ values, before, change }) {
    if (!before) values.IndividualID ??= change.caller.id;
  },
};
