export { type PostgresTables, type PostgresTablesOptions, postgresTables } from './postgres.ts';
export { type SqliteTables, sqliteTables } from './sqlite.ts';
