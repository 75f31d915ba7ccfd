// A migration that was released is never changed. They run in the order of the times in their names.
export { CreateTables1764000000000 } from './1764000000000-create-tables.ts';
export { CreateReports1795737600000 } from './1795737600000-create-reports.ts';
export { CreateReleases1795900000000 } from './1795900000000-create-releases.ts';
