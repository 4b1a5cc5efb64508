import { literal } from '../../internal/postgres.ts';
import { quote } from '../../internal/sql.ts';
import type { COMMENTS } from '../generated/comments.ts';
import type { Dialect, Work } from '../sql/dialect.ts';

/**
 * Adds a comment to each table, view and column that has no comment. The comments are for users who look at the
 * database with other tools. This is not a step of the migration, because earlier versions of the package can still use
 * the tables. If the role does not own a table, the table gets no comments.
 */
export function* addComments({ name }: Dialect, schema: string, comments: typeof COMMENTS): Work<void> {
  const tables = 'FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace';
  const owned = `nspname = ${literal(schema)} AND relkind IN ('r', 'v') AND pg_has_role(relowner, 'USAGE')`;
  const found = yield {
    sql: `SELECT relname, relkind, NULL AS attname ${tables}
WHERE ${owned} AND obj_description(pg_class.oid, 'pg_class') IS NULL
UNION ALL
SELECT relname, relkind, attname ${tables} JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
WHERE ${owned} AND col_description(pg_class.oid, attnum) IS NULL`,
  };
  const statements = found.flatMap(({ relname, relkind, attname }) => {
    const [about, columns] = comments[String(relname)] ?? [];
    const text = attname === null ? about : columns?.[String(attname)];
    if (!text) return [];
    const table = name(String(relname));
    const target =
      attname === null ? `${relkind === 'v' ? 'VIEW' : 'TABLE'} ${table}` : `COLUMN ${table}.${quote(String(attname))}`;
    return [`COMMENT ON ${target} IS ${literal(text)}`];
  });
  if (statements.length > 0) yield { sql: statements.join(';\n') };
}
