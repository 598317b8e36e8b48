// Bodies that pass, and short words for checking others.
import { type Fault, ServiceError } from '../../src/contract/errors.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { type Body, type Checked, type Purpose, validate } from '../../src/contract/validate.ts';
import type { Zone } from '../../src/contract/zone.ts';

export const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

export const item = { AncestorID: ID, Rank: 1, Name: 'Coaching', Description: 'Of new colleagues' };
export const person = {
  FirstName: 'Ann',
  LastName: 'Lee',
  Email: 'ann@example.org',
  PrimaryOrganizationID: ID,
  PrimaryTitle: 'Lead',
  PrimaryReportsTo: OTHER,
  UserName: 'ann',
  ParentID: null,
  UserEmail: 'ann@example.org',
};
export const right = {
  RowID: ID,
  PrincipalID: OTHER,
  ChildType: null,
  CreateState: 0,
  ReadState: 1,
  UpdateState: 2,
  DeleteState: 0,
  DelegateState: 0,
};

/** Checks a body; one of an update says which record it is, unless the test does. */
export function check(resource: Resource, body: Body, purpose: Purpose = 'create', zone?: Zone): Checked {
  const sent = purpose === 'update' ? { ID: resource.id === 'integer' ? 1 : ID, ...body } : body;
  return validate({ fields: resource.fields, what: `the ${resource.name}`, open: resource.open }, sent, purpose, zone);
}

export function refusal(resource: Resource, body: Body, purpose: Purpose = 'create'): ServiceError {
  try {
    check(resource, body, purpose);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the body passed');
}

export const faultsOf = (resource: Resource, body: Body, purpose: Purpose = 'create'): readonly Fault[] =>
  refusal(resource, body, purpose).faults;
