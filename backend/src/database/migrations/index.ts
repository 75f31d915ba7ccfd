// They run in the order of the times in their names. A released migration is never changed.
export { CreateTables1764000000000 } from './1764000000000-create-tables.ts';
