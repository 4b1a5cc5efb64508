import { failed, wrongUsage } from './command.ts';

const HOW_TO_PASS_A_PASSWORD =
  'Other users of this machine can read the arguments of a command. Pass the address in DATABASE_URL, or the password in PGPASSWORD or in the password file (~/.pgpass).';

/**
 * The address of `--postgres`.
 *
 * @throws {CommandError} for an address that cannot be used, and for an address with a password on the command line.
 *   The message never contains the address.
 */
export function postgresAddress(given: string, { DATABASE_URL } = process.env): string {
  const isAddress = (text: string) => /^postgres(?:ql)?:\/\//.test(text);
  if (given === 'env') {
    if (!DATABASE_URL) throw wrongUsage('--postgres env needs DATABASE_URL.');
    if (!isAddress(DATABASE_URL)) throw wrongUsage('DATABASE_URL must begin with postgres://.');
    return DATABASE_URL;
  }
  if (!isAddress(given)) throw wrongUsage('--postgres must begin with postgres://, or be env.');
  if (hasPassword(given))
    throw wrongUsage(`An address on the command line must not have a password. ${HOW_TO_PASS_A_PASSWORD}`);
  return given;
}

/**
 * True if the address has a password. Also true for an invalid address with `@`, because it may have a password with
 * characters that are not encoded.
 */
function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return address.includes('@');
  const { password, searchParams } = new URL(address);
  return password !== '' || [...searchParams.keys()].some(name => /^(?:password|sslpassword)$/i.test(name));
}

/** A pool of few connections, with the command as their application name. */
export async function openPool(connectionString: string, command: string) {
  const { Pool } = await loadPg();
  const pool = new Pool({ connectionString, max: 5, application_name: `container-tracking ${command}` });
  // The pool replaces an idle connection that breaks. A query that needs a connection reports its own error.
  pool.on('error', () => {});
  return pool;
}

/** The package `pg` is a peer dependency that only this function needs. */
async function loadPg(): Promise<Pick<typeof import('pg'), 'Pool'>> {
  try {
    const pg = await import('pg');
    // Before version 8.15, `pg` is CommonJS, and Node does not find its named exports.
    return pg.Pool ? pg : pg.default;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/MODULE_NOT_FOUND/.test(code ?? '') || !message.includes("'pg'")) throw error;
    throw failed(
      'PostgreSQL needs the package pg. Install it, or run:\n  npx -p container-tracking-sdk -p pg container-tracking …',
    );
  }
}
