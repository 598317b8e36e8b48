// The primary membership of an individual shows on its record, too (D14): a change of the one changes the other.

type Values = Readonly<Record<string, unknown>>;

/** The members of an individual that show it, each with the one of the membership. */
export const PRIMARY: Readonly<Record<string, string>> = {
  PrimaryOrganizationID: 'OrganizationID',
  PrimaryTitle: 'Title',
  PrimaryReportsTo: 'ReportsToID',
};

/** The members that show it, by resource. */
export const PRIMARY_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  individual: Object.keys(PRIMARY),
  organizationMember: ['Primary', ...Object.values(PRIMARY)],
};

/** The members that tell the primary membership from the others. */
export const PRIMARY_PLACE: Readonly<Record<string, readonly string[]>> = {
  individual: ['PrimaryOrganizationID'],
  organizationMember: ['Primary', 'OrganizationID'],
};

/**
 * The individual that has another primary membership after these changes of a record, by its ID; undefined if it
 * does not. A membership without the member Primary counts as primary.
 */
export function primaryOwner(resource: string, changed: Values, record: Values): string | undefined {
  const members = PRIMARY_MEMBERS[resource] ?? [];
  if (!members.some((name) => changed[name] !== undefined)) return undefined;
  const isSecondary = resource !== 'individual' && (changed.Primary || record.Primary) === false;
  const id = resource === 'individual' ? record.ID : (record.IndividualID ?? changed.IndividualID);
  return isSecondary || typeof id !== 'string' ? undefined : id;
}
