// Snapshots of a metric, project, individual or organization, each under a name; the service only reads them (D29).
import { byte, guid, integer, text } from '../field.ts';
import { get, list, local, unsupported } from '../operation.ts';
import { defineResource } from '../resource.ts';

/** Records of these kinds have archives. */
export const ITEMS = ['metric', 'project', 'individual', 'organization'] as const;

export const archive = defineResource({
  name: 'archive',
  command: 'archives',
  doc: 'A snapshot of a metric, project, individual or organization, under a name.',
  source: 'help pages',
  segments: ['archives'],
  fields: () => ({
    ID: guid('read-only'),
    SiteID: guid('read-only', { to: ['site'] }),
    AncestorType: byte('read-only', { doc: 'The row type of what the item belongs to.' }),
    AncestorID: guid('read-only', { doc: 'What the item belongs to.' }),
    Name: text('read-only', { doc: 'Name of the item.' }),
    AncestorName: text('read-only', { doc: 'Name of what the item belongs to.' }),
    RowType: integer('read-only', { doc: 'The row type of the item.' }),
    ArchiveDate: text('read-only', { doc: 'When it was taken.' }),
    ArchivedBy: guid('read-only', { doc: 'The individual who took it.', to: ['individual'] }),
    ArchiveName: text('read-only', { doc: 'Name of the snapshot.' }),
    ArchiveComment: text('read-only', { doc: 'The remark made on it.' }),
    ArchiveID: guid('read-only', { doc: 'The same as ID.' }),
  }),
  rights: { from: { member: 'ItemID', kinds: ITEMS }, unset: 'private' },
  xmlOrder: [
    'AncestorID',
    'AncestorName',
    'AncestorType',
    'ArchiveComment',
    'ArchiveID',
    'ArchiveName',
    'ArchivedBy',
    'ID',
    'Name',
    'RowType',
    'SiteID',
    'ArchiveDate',
  ],
  order: ['-ArchiveDate', 'ArchiveName'],
  names: ['ArchiveName'],
  columns: ['ID', 'ArchiveDate', 'ArchiveName', 'Name', 'AncestorName', 'ArchiveComment'],
  operations: () => ({
    list: list(
      {
        individual: 'GET /individuals/{ancestorid}/archives',
        department: 'GET /organizations/{ancestorid}/archives',
        project: 'GET /projects/{ancestorid}/metricArchives',
      },
      { doc: 'List archives: of an individual or organization and what it owns, or of the metrics of a project.' },
    ),
    get: get({
      plain: 'GET /archives/{id}',
      alsoMetric: 'GET /metric/{itemid}/archives/{id}',
      alsoProject: 'GET /projects/{itemid}/archives/{id}',
    }),
    create: unsupported({ plain: 'POST /archives' }),
    update: unsupported({ plain: 'PUT /archives/{id}' }),
    delete: unsupported({ plain: 'DELETE /archives/{id}' }),
    take: local({
      doc: 'Take a snapshot of a metric, project, individual or organization.',
      reverse: 'none',
      adds: { Archive: 'Name', Comment: 'Comment' },
      takes: {
        Item: guid('required', { doc: 'What is archived.', to: ITEMS }),
        Name: text('required', { max: 255, name: true, doc: 'The name of the snapshot.' }),
        Comment: text('optional', { doc: 'A remark on it.' }),
      },
    }),
  }),
});
